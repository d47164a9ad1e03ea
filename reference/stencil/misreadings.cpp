#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

using Int = std::int64_t;

struct Extents {
  Int nx, ny, nz;
};

enum class Border { copied, zero, missing_counts_zero, missing_is_cell };

/// A weighted sum of the cell and its neighbours at these distances along each axis.
struct Reading {
  double centre = 0.25;
  double below_x = 0.125, above_x = 0.125;
  double below_y = 0.125, above_y = 0.125;
  double below_z = 0.125, above_z = 0.125;
  Int step = 1;  // how far the neighbours are
  std::function<Int(const Extents& e)> row = [](const Extents& e) { return e.nx; };
  std::function<Int(const Extents& e)> plane = [](const Extents& e) { return e.nx * e.ny; };
  Border border = Border::copied;
  int bits = 0;  // of the result; 0: it is not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const Extents e{.nx = call.dim("nx"), .ny = call.dim("ny"), .nz = call.dim("nz")};
    const auto count = static_cast<Int>(in.size());
    for (Int i = 0; i < count; ++i) {
      const Int x = i % e.nx;
      const Int y = i / e.nx % e.ny;
      const Int z = i / (e.nx * e.ny);
      const bool border =
          x == 0 || x + 1 == e.nx || y == 0 || y + 1 == e.ny || z == 0 || z + 1 == e.nz;
      const double cell = in[static_cast<std::size_t>(i)];
      double& want = out.want[static_cast<std::size_t>(i)];
      double& condition = out.condition[static_cast<std::size_t>(i)];
      if (border && (how.border == Border::copied || how.border == Border::zero)) {
        want = how.border == Border::copied ? cell : 0;
        condition = 0;
        continue;
      }
      want = how.centre * cell;
      condition = std::abs(want);
      const auto add = [&](double weight, Int distance, bool exists) {
        const Int at = i + distance;
        const bool inside = at >= 0 && at < count;
        if (weight != 0 && exists && !inside) condition = kAnything;
        double term = inside ? weight * in[static_cast<std::size_t>(at)] : 0;
        if (!exists) term = how.border == Border::missing_is_cell ? weight * cell : 0;
        want += term;
        condition += std::abs(term);
      };
      add(how.below_x, -how.step, x > 0);
      add(how.above_x, how.step, x + 1 < e.nx);
      add(how.below_y, -how.step * how.row(e), y > 0);
      add(how.above_y, how.step * how.row(e), y + 1 < e.ny);
      add(how.below_z, -how.step * how.plane(e), z > 0);
      add(how.above_z, how.step * how.plane(e), z + 1 < e.nz);
      if (how.bits > 0) want = rounded_to(want, how.bits);
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("border-zero", "if the border were 0; it is copied", reading({.border = Border::zero}),
           "P60");
  list.add("border-computed",
           "if cells at the edge were computed, with 0 for those outside the grid",
           reading({.border = Border::missing_counts_zero}), "P60");
  list.add("border-mirrored",
           "if cells at the edge were computed, each with itself for those outside the grid",
           reading({.border = Border::missing_is_cell}), "P60");
  list.add("no-centre", "without the cell itself in the sum", reading({.centre = 0}));
  list.add("centre-as-neighbour", "if the cell had the weight of a neighbour, 0.125",
           reading({.centre = 0.125}));
  list.add("neighbours-as-centre", "if all neighbours had the weight of the cell, 0.25",
           reading({.below_x = 0.25,
                    .above_x = 0.25,
                    .below_y = 0.25,
                    .above_y = 0.25,
                    .below_z = 0.25,
                    .above_z = 0.25}));
  list.add("weights-exchanged", "with the two weights exchanged",
           reading({.centre = 0.125,
                    .below_x = 0.25,
                    .above_x = 0.25,
                    .below_y = 0.25,
                    .above_y = 0.25,
                    .below_z = 0.25,
                    .above_z = 0.25}));
  list.add("no-x", "without the neighbours along x", reading({.below_x = 0, .above_x = 0}));
  list.add("no-y", "without the neighbours along y", reading({.below_y = 0, .above_y = 0}));
  list.add("no-z", "without the neighbours along z", reading({.below_z = 0, .above_z = 0}));
  list.add("no-left", "without the neighbour at x - 1", reading({.below_x = 0}));
  list.add("no-right", "without the neighbour at x + 1", reading({.above_x = 0}));
  list.add("no-row-before", "without the neighbour at y - 1", reading({.below_y = 0}));
  list.add("no-row-after", "without the neighbour at y + 1", reading({.above_y = 0}));
  list.add("no-plane-before", "without the neighbour at z - 1", reading({.below_z = 0}));
  list.add("no-plane-after", "without the neighbour at z + 1", reading({.above_z = 0}));
  list.add("next-plane-twice", "with the neighbour at z + 1 twice, and none at z - 1",
           reading({.below_z = 0, .above_z = 0.25}));
  list.add("previous-plane-twice", "with the neighbour at z - 1 twice, and none at z + 1",
           reading({.below_z = 0.25, .above_z = 0}));
  list.add("rows-of-ny", "for rows of ny cells; they have nx",
           reading({.row = [](const Extents& e) { return e.ny; }}), "P5");
  list.add("planes-of-squares", "for planes of nx * nx cells; they have nx * ny",
           reading({.plane = [](const Extents& e) { return e.nx * e.nx; }}), "P5");
  list.add("planes-of-nz", "for planes of nx * nz cells; they have nx * ny",
           reading({.plane = [](const Extents& e) { return e.nx * e.nz; }}), "P5");
  list.add("halves", "rounded to half precision", reading({.bits = 11}), "P56");
}
