# SPDX-License-Identifier: Apache-2.0
# `cmake --install build --prefix P` puts the program, the headers, the libraries and a package that find_package(tulle)
# finds. A consumer links tulle::tulle and includes "tulle/tulle.h".
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

add_library(tulle_all INTERFACE)
add_library(tulle::tulle ALIAS tulle_all)
set_target_properties(tulle_all PROPERTIES EXPORT_NAME tulle)
get_property(folders GLOBAL PROPERTY TULLE_TARGETS)
target_link_libraries(tulle_all INTERFACE ${folders})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tulle)
install(TARGETS tulle)
if(TULLE_TRAINING)
    install(TARGETS tulle-train)
endif()
install(TARGETS tulle_all ${folders} EXPORT tulleTargets)    # without the program, whose name the library has there
install(EXPORT tulleTargets NAMESPACE tulle:: DESTINATION ${package_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/tulle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
    PATTERN training EXCLUDE PATTERN view EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/tulle)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/tulle
    FILES_MATCHING PATTERN "*.safetensors")

file(WRITE ${PROJECT_BINARY_DIR}/tulleConfig.cmake [[
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tulleTargets.cmake)
]])
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tulleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(GLOB finders ${PROJECT_SOURCE_DIR}/cmake/Find*.cmake)
install(FILES ${PROJECT_BINARY_DIR}/tulleConfig.cmake ${PROJECT_BINARY_DIR}/tulleConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake ${finders} DESTINATION ${package_folder})
