# SPDX-License-Identifier: Apache-2.0
# Warnings are errors; ccache is used where it is installed; the sanitizers are one switch.
find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

add_library(tulle_warnings INTERFACE)
target_compile_options(tulle_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wno-missing-field-initializers -Werror)

if(TULLE_SANITIZE)
    # Assertions stay on, so that broken promises inside Eigen and our own code are found too.
    set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g")
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()
