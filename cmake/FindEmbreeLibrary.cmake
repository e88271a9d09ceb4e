# SPDX-License-Identifier: Apache-2.0
# Debian's package config names the target `embree`; ours is imported, so that tulle's own exports can name it.
find_package(embree 3 REQUIRED)
if(NOT TARGET tulle::embree_library)
    add_library(tulle::embree_library INTERFACE IMPORTED)
    target_link_libraries(tulle::embree_library INTERFACE embree)
endif()
