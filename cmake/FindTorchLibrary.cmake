# SPDX-License-Identifier: Apache-2.0
# libtorch for training. Its own package config drags in Caffe2, protobuf and an older C++ standard; headers and three
# libraries are enough. A Python environment on the path often has another libtorch, which is not meant.
find_path(TORCH_INCLUDE_DIR ATen/ATen.h NO_SYSTEM_ENVIRONMENT_PATH REQUIRED)
find_library(TORCH_LIBRARY torch NO_SYSTEM_ENVIRONMENT_PATH REQUIRED)
find_library(TORCH_CPU_LIBRARY torch_cpu NO_SYSTEM_ENVIRONMENT_PATH REQUIRED)
find_library(TORCH_C10_LIBRARY c10 NO_SYSTEM_ENVIRONMENT_PATH REQUIRED)
if(NOT TARGET tulle::torch_library)
    add_library(tulle::torch_library INTERFACE IMPORTED)
    target_include_directories(tulle::torch_library SYSTEM INTERFACE ${TORCH_INCLUDE_DIR})
    target_link_libraries(tulle::torch_library INTERFACE ${TORCH_LIBRARY} ${TORCH_CPU_LIBRARY} ${TORCH_C10_LIBRARY})
endif()
