// SPDX-License-Identifier: Apache-2.0
// The patterns of our garments, in the plane of the mannequin: x across it, z up, in metres.
#include "tulle/methods/garment/sewing_pattern.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

using Point = Eigen::Vector2d;
using Line = std::vector<Point>;

Point mirror(const Point& p) { return {-p.x(), p.y()}; }

// Half an ellipse from (−wide, top) down to `low` and up to (wide, top), without its last point.
Line neckline(double wide, double top, double low) {
    Line line;
    constexpr int pieces = 16;
    for (int i = 0; i < pieces; ++i) {
        const double s = -1 + 2.0 * i / pieces;
        line.emplace_back(wide * s, top - (top - low) * std::sqrt(1 - s * s));
    }
    return line;
}

}  // namespace

//        ╱‾‾╲neck╱‾‾╲         Counter-clockwise from the hem's left end, as seen from the front with x to the right.
//      ╱               ╲
//     ╱sleeve      sleeve╲
//      ╲│            │╱
//       │            │
//       └────hem─────┘
SewingPattern t_shirt_pattern() {
    const Point hem(0.292, 0.80), underarm(0.290, 1.215), cuff_low(0.345, 1.168), cuff_high(0.462, 1.345),
        tip(0.217, 1.468), neck(0.094, 1.499);
    return {"t-shirt",
            {{false, {mirror(hem)}, {}},
             {true, {hem, underarm}, {}},
             {false, {cuff_low}, {}},
             {true, {cuff_high, tip}, {}},
             {false,
              [&] {
                  Line line = neckline(neck.x(), neck.y(), 1.41);
                  std::transform(line.begin(), line.end(), line.begin(), mirror);  // from the right to the left
                  return line;
              }(),
              [&] {
                  Line line = neckline(neck.x(), neck.y(), 1.473);
                  std::transform(line.begin(), line.end(), line.begin(), mirror);
                  return line;
              }()},
             {true, {mirror(neck), mirror(tip)}, {}},
             {false, {mirror(cuff_high)}, {}},
             {true, {mirror(cuff_low), mirror(underarm)}, {}}}};
}

SewingPattern skirt_pattern() {
    const Point hem(0.42, 0.52), waist(0.194, 1.065);
    return {"skirt",
            {{false, {mirror(hem), {-0.21, 0.495}, {0, 0.487}, {0.21, 0.495}}, {}},
             {true, {hem}, {}},
             {false, {waist, {0, 1.058}}, {}},
             {true, {mirror(waist)}, {}}}};
}

}  // namespace tulle::methods
