// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#define DOCTEST_CONFIG_IMPLEMENT  // said again because the precompiled header has been through doctest's first half
#include <doctest/doctest.h>
