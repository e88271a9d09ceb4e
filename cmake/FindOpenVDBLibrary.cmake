# SPDX-License-Identifier: Apache-2.0
# Debian's FindOpenVDB asks for every optional feature; we need the level sets only. Its headers use the half type of
# Imath, whose CMake package names files that Debian does not install, so its library is found by name.
find_package(TBB REQUIRED)
find_path(OPENVDB_INCLUDE_DIR openvdb/openvdb.h REQUIRED)
find_library(OPENVDB_LIBRARY openvdb REQUIRED)
find_path(IMATH_INCLUDE_DIR Imath/half.h REQUIRED)
find_library(IMATH_LIBRARY NAMES Imath Imath-3_1 REQUIRED)
if(NOT TARGET tulle::openvdb_library)
    add_library(tulle::openvdb_library INTERFACE IMPORTED)
    target_include_directories(tulle::openvdb_library SYSTEM INTERFACE ${OPENVDB_INCLUDE_DIR} ${IMATH_INCLUDE_DIR})
    target_link_libraries(tulle::openvdb_library INTERFACE ${OPENVDB_LIBRARY} ${IMATH_LIBRARY} TBB::tbb)
endif()
