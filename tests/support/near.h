// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

namespace tulle::test {

// doctest's Approx is relative to 1 + |value| unless told otherwise, so that every small number equals every other.
// This one is relative to the value itself.
inline doctest::Approx near(double value) { return doctest::Approx(value).scale(0); }

}  // namespace tulle::test
