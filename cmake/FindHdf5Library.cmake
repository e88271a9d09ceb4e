# SPDX-License-Identifier: Apache-2.0
# CMake's FindHDF5 compiles a C program, which fails in a consumer's project that enables C++ only. Debian keeps the serial
# library beside the parallel ones.
find_path(HDF5_SERIAL_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(HDF5_SERIAL_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)
if(NOT TARGET tulle::hdf5_library)
    add_library(tulle::hdf5_library INTERFACE IMPORTED)
    target_include_directories(tulle::hdf5_library SYSTEM INTERFACE ${HDF5_SERIAL_INCLUDE_DIR})
    target_link_libraries(tulle::hdf5_library INTERFACE ${HDF5_SERIAL_LIBRARY})
endif()
