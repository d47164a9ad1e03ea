#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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

/// Whether (x, y, z) is a cell of the border.
using IsBorder = std::function<bool(Int x, Int y, Int z, const Extents& e)>;

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
  IsBorder is_border = [](Int x, Int y, Int z, const Extents& e) {
    return x == 0 || x + 1 == e.nx || y == 0 || y + 1 == e.ny || z == 0 || z + 1 == e.nz;
  };
  /// The extents, in the order that the program takes them to have.
  std::function<Extents(const Extents& e)> extents = [](const Extents& e) { return e; };
  Int block_x = 0, block_y = 0;  // neighbours outside of such a block are missing; 0: none are
  bool wraps_in_block = false;  // they are those of its opposite side
  Int planes = 0;  // that a thread computes, of which the first has no z - 1; 0: all have
  Int first_plane = 0;  // with which these planes begin
  bool multiplies_zero = false;  // what has the weight 0 takes part
  bool missing_is_cell = false;  // in blocks; otherwise they count as 0
  bool new_below_x = false, new_below_y = false, new_below_z = false;  // from `out`, not `in`
  /// More neighbours, by weight and distance.
  std::function<std::vector<std::pair<double, Int>>(const Extents& e)> more = [](const Extents&) {
    return std::vector<std::pair<double, Int>>{};
  };
  int bits = 0;  // of the result; 0: it is not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const Extents e =
        how.extents({.nx = call.dim("nx"), .ny = call.dim("ny"), .nz = call.dim("nz")});
    const auto count = static_cast<Int>(in.size());
    for (Int i = 0; i < count; ++i) {
      const Int x = i % e.nx;
      const Int y = i / e.nx % e.ny;
      const Int z = i / (e.nx * e.ny);
      const bool border = how.is_border(x, y, z, e);
      const double cell = in[static_cast<std::size_t>(i)];
      double& want = out.want[static_cast<std::size_t>(i)];
      double& condition = out.condition[static_cast<std::size_t>(i)];
      if (border && (how.border == Border::copied || how.border == Border::zero)) {
        want = how.border == Border::copied ? cell : 0;
        condition = 0;
        continue;
      }
      want = how.centre == 0 && !how.multiplies_zero ? 0 : how.centre * cell;
      condition = std::abs(want);
      const auto add = [&](double weight, Int distance, bool exists, bool is_new = false) {
        if (weight == 0 && !how.multiplies_zero) return;  // 0 * infinity is NaN
        const Int at = i + distance;
        const bool inside = at >= 0 && at < count;
        if (weight != 0 && exists && !inside) condition = kAnything;
        const auto from = static_cast<std::size_t>(at);
        double term = inside ? weight * (is_new ? out.want[from] : in[from]) : 0;
        if (!exists) {
          const bool is_cell = how.missing_is_cell || how.border == Border::missing_is_cell;
          term = is_cell ? weight * cell : 0;
        }
        want += term;
        condition += std::abs(term);
      };
      const auto in_block = [](Int at, Int size) { return size == 0 || (at >= 0 && at < size); };
      const Int of_x = how.block_x == 0 ? 0 : x % how.block_x;
      const Int of_y = how.block_y == 0 ? 0 : y % how.block_y;
      if (how.wraps_in_block) {
        const auto beside = [](Int at, Int size, Int change) {
          return (at + change + size) % size - at;
        };
        add(how.below_x, beside(of_x, how.block_x, -1), true);
        add(how.above_x, beside(of_x, how.block_x, 1), true);
        add(how.below_y, how.row(e) * beside(of_y, how.block_y, -1), true);
        add(how.above_y, how.row(e) * beside(of_y, how.block_y, 1), true);
        add(how.below_z, -how.plane(e), z > 0);
        add(how.above_z, how.plane(e), z + 1 < e.nz);
        continue;
      }
      add(how.below_x, -how.step, x > 0 && in_block(of_x - 1, how.block_x), how.new_below_x);
      add(how.above_x, how.step, x + 1 < e.nx && in_block(of_x + 1, how.block_x));
      add(how.below_y, -how.step * how.row(e), y > 0 && in_block(of_y - 1, how.block_y),
          how.new_below_y);
      add(how.above_y, how.step * how.row(e), y + 1 < e.ny && in_block(of_y + 1, how.block_y));
      const bool first_plane = how.planes > 0 && (z - how.first_plane) % how.planes == 0;
      add(how.below_z, -how.step * how.plane(e), z > 0 && !first_plane, how.new_below_z);
      add(how.above_z, how.step * how.plane(e), z + 1 < e.nz);
      for (const auto& [weight, distance] : how.more(e)) add(weight, distance, true);
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
  list.add("left-twice", "with the neighbour at x - 1 twice, and none at x + 1",
           reading({.below_x = 0.25, .above_x = 0}));
  list.add("right-twice", "with the neighbour at x + 1 twice, and none at x - 1",
           reading({.below_x = 0, .above_x = 0.25}));
  list.add("row-before-twice", "with the neighbour at y - 1 twice, and none at y + 1",
           reading({.below_y = 0.25, .above_y = 0}));
  list.add("row-after-twice", "with the neighbour at y + 1 twice, and none at y - 1",
           reading({.below_y = 0, .above_y = 0.25}));
  list.add("x-for-y", "with the neighbours along x twice, and none along y",
           reading({.below_x = 0.25, .above_x = 0.25, .below_y = 0, .above_y = 0}));
  list.add("y-for-z", "with the neighbours along y twice, and none along z",
           reading({.below_y = 0.25, .above_y = 0.25, .below_z = 0, .above_z = 0}));
  list.add("cell-for-plane-before", "with the cell itself in place of the neighbour at z - 1",
           reading({.centre = 0.375, .below_z = 0}));
  list.add("cell-for-plane-after", "with the cell itself in place of the neighbour at z + 1",
           reading({.centre = 0.375, .above_z = 0}));
  list.add("second-plane-before", "with the cell at z - 2 in place of the neighbour at z - 1",
           reading({.below_z = 0, .more = [](const Extents& e) {
                      return std::vector<std::pair<double, Int>>{{0.125, -2 * e.nx * e.ny}};
                    }}));
  list.add("second-plane-after", "with the cell at z + 2 in place of the neighbour at z + 1",
           reading({.above_z = 0, .more = [](const Extents& e) {
                      return std::vector<std::pair<double, Int>>{{0.125, 2 * e.nx * e.ny}};
                    }}));
  list.add("new-plane-before", "with the new value of the neighbour at z - 1; it is the old one",
           reading({.new_below_z = true}));
  list.add("new-row-before", "with the new value of the neighbour at y - 1; it is the old one",
           reading({.new_below_y = true}));
  list.add("new-left", "with the new value of the neighbour at x - 1; it is the old one",
           reading({.new_below_x = true}));
  list.add("new-before",
           "with new values of the neighbours at x - 1, y - 1 and z - 1, as if in place",
           reading({.new_below_x = true, .new_below_y = true, .new_below_z = true}));
  list.add(
      "diagonals", "for neighbours along the diagonals of x and y in place of those beside",
      reading(
          {.below_x = 0, .above_x = 0, .below_y = 0, .above_y = 0, .more = [](const Extents& e) {
             return std::vector<std::pair<double, Int>>{
                 {0.125, -e.nx - 1}, {0.125, 1 - e.nx}, {0.125, e.nx - 1}, {0.125, e.nx + 1}};
           }}));
  list.add("before-twice", "with the neighbours at x - 1, y - 1 and z - 1 twice, and none after",
           reading({.below_x = 0.25,
                    .above_x = 0,
                    .below_y = 0.25,
                    .above_y = 0,
                    .below_z = 0.25,
                    .above_z = 0}));
  list.add("after-twice", "with the neighbours at x + 1, y + 1 and z + 1 twice, and none before",
           reading({.below_x = 0,
                    .above_x = 0.25,
                    .below_y = 0,
                    .above_y = 0.25,
                    .below_z = 0,
                    .above_z = 0.25}));
  list.add("none-before", "without the neighbours at x - 1, y - 1 and z - 1",
           reading({.below_x = 0, .below_y = 0, .below_z = 0}));
  list.add("none-after", "without the neighbours at x + 1, y + 1 and z + 1",
           reading({.above_x = 0, .above_y = 0, .above_z = 0}));
  list.add("z-for-y", "with the neighbours along z twice, and none along y",
           reading({.below_y = 0, .above_y = 0, .below_z = 0.25, .above_z = 0.25}));
  list.add("z-for-x", "with the neighbours along z twice, and none along x",
           reading({.below_x = 0, .above_x = 0, .below_z = 0.25, .above_z = 0.25}));
  list.add("rows-of-nz", "for rows of nz cells; they have nx",
           reading({.row = [](const Extents& e) { return e.nz; }}), "P5");
  list.add("planes-of-ny-nz", "for planes of ny * nz cells; they have nx * ny",
           reading({.plane = [](const Extents& e) { return e.ny * e.nz; }}), "P5");
  list.add("planes-of-ny-ny", "for planes of ny * ny cells; they have nx * ny",
           reading({.plane = [](const Extents& e) { return e.ny * e.ny; }}), "P5");
  list.add("two-away", "for neighbours that are two cells away", reading({.step = 2}));
  list.add("neighbours-zero", "if the weight of neighbours were 0, as 1 / 8 of integers is",
           reading({.below_x = 0,
                    .above_x = 0,
                    .below_y = 0,
                    .above_y = 0,
                    .below_z = 0,
                    .above_z = 0,
                    .multiplies_zero = true}));
  list.add("weights-zero", "if both weights were 0, as 1 / 4 and 1 / 8 of integers are",
           reading({.centre = 0,
                    .below_x = 0,
                    .above_x = 0,
                    .below_y = 0,
                    .above_y = 0,
                    .below_z = 0,
                    .above_z = 0,
                    .multiplies_zero = true}));
  list.add(
      "neighbours-not-scaled", "if neighbours had no weight: their sum is not divided by 8",
      reading(
          {.below_x = 1, .above_x = 1, .below_y = 1, .above_y = 1, .below_z = 1, .above_z = 1}));
  list.add("centre-not-scaled", "if the cell itself had no weight: it is not divided by 4",
           reading({.centre = 1}));
  list.add("differences", "for differences to the neighbours: the weight of the cell is -6/8",
           reading({.centre = -0.75}));
  const double seventh = 1.0 / 7;
  list.add("mean", "for the mean of all seven cells, each with the weight 1/7",
           reading({.centre = seventh,
                    .below_x = seventh,
                    .above_x = seventh,
                    .below_y = seventh,
                    .above_y = seventh,
                    .below_z = seventh,
                    .above_z = seventh}));
  const auto edge = [](Int at, Int extent, Int low, Int high) {
    return at < low || at >= extent - high;
  };
  struct Edge {
    const char* id;
    const char* says;
    Int low[3], high[3];  // cells of the border on each side, along x, y and z
  };
  for (const Edge& how :
       {Edge{"wide-border", "if the border were two cells wide", {2, 2, 2}, {2, 2, 2}},
        Edge{"wide-border-x", "if the border were two cells wide along x", {2, 1, 1}, {2, 1, 1}},
        Edge{"wide-border-y", "if the border were two cells wide along y", {1, 2, 1}, {1, 2, 1}},
        Edge{"wide-border-z", "if the border were two cells wide along z", {1, 1, 2}, {1, 1, 2}},
        Edge{"wide-at-the-end",
             "if x = nx - 2, y = ny - 2 and z = nz - 2 were border, too",
             {1, 1, 1},
             {2, 2, 2}},
        Edge{"x-edge-computed",
             "if cells at the edge along x were computed, not copied",
             {0, 1, 1},
             {0, 1, 1}},
        Edge{"y-edge-computed",
             "if cells at the edge along y were computed, not copied",
             {1, 0, 1},
             {1, 0, 1}},
        Edge{"z-edge-computed",
             "if cells at the edge along z were computed, not copied",
             {1, 1, 0},
             {1, 1, 0}},
        Edge{"last-computed",
             "if the last cells along x, y and z were computed, not copied",
             {1, 1, 1},
             {0, 0, 0}},
        Edge{"first-computed",
             "if the first cells along x, y and z were computed, not copied",
             {0, 0, 0},
             {1, 1, 1}}}) {
    list.add(how.id, how.says,
             reading({.is_border =
                          [=](Int x, Int y, Int z, const Extents& e) {
                            return edge(x, e.nx, how.low[0], how.high[0]) ||
                                   edge(y, e.ny, how.low[1], how.high[1]) ||
                                   edge(z, e.nz, how.low[2], how.high[2]);
                          }}),
             "P60");
  }
  for (const Int width : {8, 16, 32}) {
    for (const Int height : {4, 8, 16, 32}) {
      if (height > width) continue;
      const std::string size = std::to_string(width) + " x " + std::to_string(height);
      const std::string id = std::to_string(width) + "-" + std::to_string(height);
      list.add("blocks-alone-" + id,
               "if neighbours outside of a block of " + size + " cells were 0",
               reading({.block_x = width, .block_y = height}), "P10");
      list.add("blocks-repeat-" + id,
               "if a cell stood for its neighbours outside of a block of " + size + " cells",
               reading({.block_x = width, .block_y = height, .missing_is_cell = true}), "P10");
    }
  }
  list.add("nx-and-ny-exchanged", "for a grid of ny x nx x nz cells; it has nx x ny x nz",
           reading({.extents =
                        [](const Extents& e) {
                          return Extents{e.ny, e.nx, e.nz};
                        }}),
           "P5");
  list.add("nx-and-nz-exchanged", "for a grid of nz x ny x nx cells; it has nx x ny x nz",
           reading({.extents =
                        [](const Extents& e) {
                          return Extents{e.nz, e.ny, e.nx};
                        }}),
           "P5");
  list.add("bfloat16", "rounded to bfloat16, 8 significant bits", reading({.bits = 8}), "P56");
  list.add("halves", "rounded to half precision", reading({.bits = 11}), "P56");
  for (const Int planes : {4, 8, 16}) {
    for (const Int first : {0, 1}) {
      const std::string chunks =
          std::to_string(planes) + " planes, which begin with plane " + std::to_string(first);
      const std::string id = std::to_string(planes) + "-" + std::to_string(first);
      list.add("no-plane-before-" + id,
               "if the neighbour at z - 1 were 0 for the first of each " + chunks,
               reading({.planes = planes, .first_plane = first}));
      list.add("own-plane-before-" + id,
               "if the cell stood for its neighbour at z - 1 in the first of each " + chunks,
               reading({.planes = planes, .first_plane = first, .missing_is_cell = true}));
    }
  }
  struct Block {
    Int width, height;
  };
  for (const Block block : {Block{32, 4}, Block{32, 8}, Block{16, 16}, Block{8, 8}}) {
    const std::string size = std::to_string(block.width) + " x " + std::to_string(block.height);
    list.add(
        "halo-of-other-side-" + std::to_string(block.width) + "-" + std::to_string(block.height),
        "if neighbours outside of a block of " + size + " cells were those of its opposite side",
        reading({.block_x = block.width, .block_y = block.height, .wraps_in_block = true}), "P10");
  }
}
