# SPDX-License-Identifier: Apache-2.0
# Warnings are errors; ccache is used where it is installed; the sanitizers are one switch.
find_program(CCACHE ccache)
if(CCACHE)
    # ccache must not mind that a precompiled header hides the macros and the times of what it includes.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${CCACHE})
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

# For code that only parses, prints or checks: a quarter of the time to compile, and as fast where it counts.
add_library(tulle_quick_to_compile INTERFACE)
target_compile_options(tulle_quick_to_compile INTERFACE $<$<NOT:$<BOOL:${TULLE_SANITIZE}>>:-O1>
    # gcc 12 warns of the texts of its own library at -O1.
    -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)

add_library(tulle_warnings INTERFACE)
target_compile_options(tulle_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wno-missing-field-initializers -Werror)

if(TULLE_SANITIZE)
    # Assertions stay on, so that broken promises inside Eigen and our own code are found too.
    set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g")
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()
