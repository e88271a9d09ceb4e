# SPDX-License-Identifier: Apache-2.0
# Debian's FindOpenVDB asks for every optional feature; we need the level sets only.
find_package(TBB REQUIRED)
find_package(Imath REQUIRED)
find_path(OPENVDB_INCLUDE_DIR openvdb/openvdb.h REQUIRED)
find_library(OPENVDB_LIBRARY openvdb REQUIRED)
if(NOT TARGET tulle::openvdb_library)
    add_library(tulle::openvdb_library INTERFACE IMPORTED)
    target_include_directories(tulle::openvdb_library SYSTEM INTERFACE ${OPENVDB_INCLUDE_DIR})
    target_link_libraries(tulle::openvdb_library INTERFACE ${OPENVDB_LIBRARY} TBB::tbb Imath::Imath)
endif()
