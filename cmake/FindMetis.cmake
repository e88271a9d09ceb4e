# SPDX-License-Identifier: Apache-2.0
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
if(NOT TARGET tulle::metis_library)
    add_library(tulle::metis_library INTERFACE IMPORTED)
    target_include_directories(tulle::metis_library INTERFACE ${METIS_INCLUDE_DIR})
    target_link_libraries(tulle::metis_library INTERFACE ${METIS_LIBRARY})
endif()
