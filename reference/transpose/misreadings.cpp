#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

struct Extents {
  std::size_t rows, columns;
};

/// Which element of the input element (i, j) of the output is; the output has `columns` rows.
struct Reading {
  std::function<std::size_t(std::size_t i, std::size_t j, const Extents& e)> from =
      [](std::size_t i, std::size_t j, const Extents& e) { return j * e.columns + i; };
  int bits = 0;  // 0: values are not rounded
  bool whole = false;  // values are converted to int
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const Extents e{.rows = static_cast<std::size_t>(call.dim("rows")),
                    .columns = static_cast<std::size_t>(call.dim("columns"))};
    for (std::size_t at = 0; at < out.want.size(); ++at) {
      const std::size_t from = how.from(at / e.rows, at % e.rows, e);
      double value = from < in.size() ? in[from] : 0.0F;
      if (how.whole) value = std::trunc(value);
      out.want[at] = how.bits > 0 ? rounded_to(value, how.bits) : value;
      out.condition[at] = from < in.size() ? 0 : kAnything;
    }
  };
}

/// Each tile of the output filled from one tile of the input, in another way.
Reading tiles(std::size_t size, bool exchanged, bool turned) {
  return {.from = [=](std::size_t i, std::size_t j, const Extents& e) {
    const std::size_t top = (exchanged ? j : i) / size * size;  // in the input
    const std::size_t left = (exchanged ? i : j) / size * size;
    const std::size_t row = top + (turned ? j % size : i % size);
    const std::size_t column = left + (turned ? i % size : j % size);
    return row < e.rows && column < e.columns ? row * e.columns + column : e.rows * e.columns;
  }};
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("copy", "for a copy of the input: no element changes its place",
           reading({.from = [](std::size_t i, std::size_t j,
                               const Extents& e) { return i * e.rows + j; }}),
           "P5");
  list.add("rows-of-rows", "for rows of the input that have `rows` elements; they have `columns`",
           reading({.from = [](std::size_t i, std::size_t j,
                               const Extents& e) { return j * e.rows + i; }}),
           "P5");
  list.add("copied-rows", "if row i of the output began with row i of the input, not turned",
           reading({.from =
                        [](std::size_t i, std::size_t j, const Extents& e) {
                          return i < e.rows && j < e.columns ? i * e.columns + j
                                                             : e.rows * e.columns;
                        }}),
           "P5");
  for (const std::size_t size : {16U, 32U}) {
    const std::string text = std::to_string(size);
    list.add(
        "tiles-not-turned-" + text,
        "for tiles of " + text + " x " + text + " that are in their places, but not turned inside",
        reading(tiles(size, true, false)), "P5");
    list.add(
        "tiles-turned-in-place-" + text,
        "for tiles of " + text + " x " + text + " that are turned inside, but left in their places",
        reading(tiles(size, false, true)), "P5");
  }
  list.add("rows-of-columns",
           "for rows of the output that have `columns` elements; they have `rows`",
           reading({.from =
                        [](std::size_t i, std::size_t j, const Extents& e) {
                          const std::size_t at = i * e.rows + j;
                          const std::size_t row = at % e.columns;
                          const std::size_t column = at / e.columns;
                          return row < e.rows && column < e.columns ? row * e.columns + column
                                                                    : e.rows * e.columns;
                        }}),
           "P5");
  for (const std::size_t size : {16U, 32U}) {
    for (std::size_t step = size / 8; step < size; step *= 2) {
      const std::string of = std::to_string(step) + " rows of each tile of " + std::to_string(size);
      list.add("repeats-" + std::to_string(step) + "-of-" + std::to_string(size),
               "if the first " + of + " rows were repeated in the others",
               reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
                 return j * e.columns + i / size * size + i % size % step;
               }}));
    }
  }
  list.add("other-diagonal", "for the transpose along the other diagonal",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return (e.rows - 1 - j) * e.columns + (e.columns - 1 - i);
           }}));
  list.add("turned-left", "rotated by 90 degrees to the left in place of transposed",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return j * e.columns + (e.columns - 1 - i);
           }}));
  list.add("turned-right", "rotated by 90 degrees to the right in place of transposed",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return (e.rows - 1 - j) * e.columns + i;
           }}));
  list.add("next-row", "for the row after the right one: in[j + 1][i] in place of in[j][i]",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return (j + 1) * e.columns + i;
           }}));
  list.add("next-column", "for the column after the right one: in[j][i + 1] in place of in[j][i]",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return i + 1 < e.columns ? j * e.columns + i + 1 : e.rows * e.columns;
           }}));
  list.add("padded-rows", "for rows of the input with one element of padding; they have none",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return j * (e.columns + 1) + i;
           }}));
  list.add("first-row", "for row 0 of the input in all columns of the output",
           reading({.from = [](std::size_t i, std::size_t, const Extents&) { return i; }}));
  list.add("first-column", "for column 0 of the input in all rows of the output",
           reading({.from = [](std::size_t, std::size_t j, const Extents& e) {
             return j * e.columns;
           }}));
  list.add("diagonal", "for element (j, j) of the input in column j of the output",
           reading({.from = [](std::size_t, std::size_t j, const Extents& e) {
             return j < e.columns ? j * e.columns + j : e.rows * e.columns;
           }}));
  for (const std::size_t size : {8U, 16U, 32U}) {
    const std::string text = std::to_string(size);
    list.add("repeats-row-of-" + text,
             "if the first row of each tile of " + text + " rows were repeated in the others",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               return j / size * size * e.columns + i;
             }}));
    list.add("repeats-column-of-" + text,
             "if the first column of each tile of " + text + " columns were repeated in the others",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               return j * e.columns + i / size * size;
             }}));
    list.add("rows-in-tile-of-" + text,
             "if all blocks read the first " + text + " rows of the input: in[threadIdx.y][i]",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               return j % size * e.columns + i;
             }}));
    list.add("columns-in-tile-of-" + text,
             "if all blocks read the first " + text + " columns of the input: in[j][threadIdx.x]",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               return j * e.columns + i % size;
             }}));
    list.add("rows-reversed-in-" + text,
             "if the rows of each tile of " + text + " x " + text + " were in reverse order",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               return (j / size * size + size - 1 - j % size) * e.columns + i;
             }}));
    list.add("columns-reversed-in-" + text,
             "if the columns of each tile of " + text + " x " + text + " were in reverse order",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               const std::size_t column = i / size * size + size - 1 - i % size;
               return column < e.columns ? j * e.columns + column : e.rows * e.columns;
             }}));
    if (size == 8) continue;
    for (const bool written : {false, true}) {
      const std::size_t right = written ? size + 1 : size;  // that it is written with
      const std::size_t other = written ? size : size + 1;
      list.add("tile-of-" + std::to_string(right) + "-read-as-" + std::to_string(other),
               "for a tile in shared memory that is written with rows of " + std::to_string(right) +
                   " elements, and read with rows of " + std::to_string(other),
               reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
                 const std::size_t place = j % size * other + i % size;
                 const std::size_t row = j / size * size + place / right;
                 const std::size_t column = i / size * size + place % right;
                 const bool loaded = place / right < size && place % right < size;
                 return loaded && row < e.rows && column < e.columns ? row * e.columns + column
                                                                     : e.rows * e.columns;
               }}));
    }
    list.add("next-tile-right-" + text,
             "for the tile to the right of the right one, in tiles of " + text + " columns",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               return i + size < e.columns ? j * e.columns + i + size : e.rows * e.columns;
             }}));
    list.add("next-tile-down-" + text,
             "for the tile below the right one, in tiles of " + text + " rows",
             reading({.from = [=](std::size_t i, std::size_t j, const Extents& e) {
               return (j + size) * e.columns + i;
             }}));
  }
  list.add("padded-output", "for rows of the output with one element of padding; they have none",
           reading({.from =
                        [](std::size_t i, std::size_t j, const Extents& e) {
                          const std::size_t at = i * e.rows + j;
                          const std::size_t row = at % (e.rows + 1);
                          return row < e.rows ? row * e.columns + at / (e.rows + 1)
                                              : e.rows * e.columns;
                        }}),
           "P5");
  list.add("previous-row", "for the row before the right one: in[j - 1][i] in place of in[j][i]",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return j == 0 ? e.rows * e.columns : (j - 1) * e.columns + i;
           }}));
  list.add("previous-column",
           "for the column before the right one: in[j][i - 1] in place of in[j][i]",
           reading({.from = [](std::size_t i, std::size_t j, const Extents& e) {
             return i == 0 ? e.rows * e.columns : j * e.columns + i - 1;
           }}));
  list.add("whole-numbers", "for values without their fractions: they are converted to int",
           reading({.whole = true}), "P56");
  list.add("bfloat16", "for values rounded to bfloat16, 8 significant bits", reading({.bits = 8}),
           "P56");
  list.add("halves", "for values rounded to half precision", reading({.bits = 11}), "P56");
}
