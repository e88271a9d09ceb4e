# SPDX-License-Identifier: Apache-2.0
# Headers that nearly every file reads, compiled once for the library (the first one owns them), once for the programs and
# once for the tests. Files must still include what they use: the presets `bench` and `sanitize` build without.
set(TULLE_COMMON_HEADERS <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <algorithm> <cmath> <filesystem> <functional> <map>
    <memory> <optional> <span> <string> <variant> <vector>)

# tulle_library(<folder> [INTERNAL] DEPENDS <folders…> LIBRARIES <third-party…>): the target tulle::<folder> from
# src/tulle/<folder>. An INTERNAL one is not installed.
function(tulle_library folder)
    cmake_parse_arguments(ARG "INTERNAL" "" "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    list(TRANSFORM ARG_DEPENDS PREPEND tulle::)
    # A kernel is compiled twice: NAME_avx2.cpp for AVX2 and FMA, NAME_portable.cpp for any machine. Both pass wide
    # vectors between functions that are always inlined, so how those would be passed does not matter.
    foreach(source ${sources})
        if(source MATCHES "_avx2.cpp$")
            set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma;-Wno-psabi"
                SKIP_PRECOMPILE_HEADERS ON)
        elseif(source MATCHES "_portable.cpp$")
            set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-Wno-psabi" SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
    if(sources)
        add_library(tulle_${folder} STATIC ${sources})
        set(scope PUBLIC)
        target_link_libraries(tulle_${folder} PRIVATE $<BUILD_INTERFACE:tulle_warnings>)
        target_link_libraries(tulle_${folder} PRIVATE ${ARG_PRIVATE_LIBRARIES})
        if(folder STREQUAL core)
            target_precompile_headers(tulle_core PRIVATE ${TULLE_COMMON_HEADERS})
        else()
            target_precompile_headers(tulle_${folder} REUSE_FROM tulle_core)
        endif()
    else()
        add_library(tulle_${folder} INTERFACE)
        set(scope INTERFACE)
    endif()
    add_library(tulle::${folder} ALIAS tulle_${folder})
    set_target_properties(tulle_${folder} PROPERTIES EXPORT_NAME ${folder})
    target_link_libraries(tulle_${folder} ${scope} ${ARG_DEPENDS} ${ARG_LIBRARIES})
    target_include_directories(tulle_${folder} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(tulle_${folder} ${scope} cxx_std_20)
    if(NOT ARG_INTERNAL)
        set_property(GLOBAL APPEND PROPERTY TULLE_TARGETS tulle_${folder})
    endif()
endfunction()
