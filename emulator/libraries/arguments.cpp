#include "emulator/libraries/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace warpsim::libraries {
namespace {

std::uint64_t unsigned_of(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

/// The rows of a column that are used, from the first to before the last.
std::pair<std::int64_t, std::int64_t> rows_of(const MatrixShape& shape, std::int64_t column) {
  using Part = MatrixShape::Part;
  const std::int64_t left_out = shape.has_diagonal ? 0 : 1;
  switch (shape.part) {
    case Part::upper:
      return {0, std::min(shape.rows, column + 1 - left_out)};
    case Part::lower:
      return {column + left_out, shape.rows};
    case Part::band: {
      // The main diagonal is the last row of an upper triangle, and the first of a lower one.
      const bool is_upper = shape.above > 0;
      return {
          std::max(shape.above - column, is_upper ? 0 : left_out),
          std::min(shape.rows - (is_upper ? left_out : 0), shape.band_rows + shape.above - column)};
    }
    case Part::all:
      break;
  }
  return {0, shape.rows};
}

LibraryArgument::Pieces pieces_of(const MatrixShape& shape, std::size_t element_bytes) {
  return [=](const auto& piece) {
    for (std::int64_t column = 0; column < shape.columns; ++column) {
      const auto [first, last] = rows_of(shape, column);
      if (first < last) {
        piece(unsigned_of(column * shape.leading + first) * element_bytes,
              unsigned_of(last - first) * element_bytes);
      }
    }
  };
}

}  // namespace

void set_use(LibraryArgument& argument, Use use) {
  argument.read = use == Use::read || use == Use::update;
  argument.written = use == Use::write || use == Use::update;
  if (use == Use::none) argument.box.width = 0;
}

LibraryArgument vector_of(std::string name, const void* pointer, std::size_t element_bytes,
                          std::int64_t elements, std::int64_t increment, Use use) {
  const std::int64_t step = std::abs(increment);
  LibraryArgument argument;
  argument.name = std::move(name);
  argument.shape = fmt::format("{} element{}", elements, elements == 1 ? "" : "s");
  if (increment != 1) argument.shape += fmt::format(" with increment {}", increment);
  argument.alignment = element_bytes;
  argument.side.address = reinterpret_cast<std::uint64_t>(pointer);
  if (step == 1) {
    argument.box = {.width = unsigned_of(elements) * element_bytes};
  } else {
    argument.side.row_pitch = unsigned_of(step) * element_bytes;
    argument.box = {.width = element_bytes, .height = step == 0 ? 1 : unsigned_of(elements)};
  }
  set_use(argument, use);
  return argument;
}

LibraryArgument matrix_of(std::string name, const void* pointer, std::size_t element_bytes,
                          const MatrixShape& shape, Use use, const char* leading_name) {
  LibraryArgument argument;
  std::string leading = leading_name != nullptr ? leading_name : "ld" + name.substr(0, 1);
  if (leading_name == nullptr) leading[2] = static_cast<char>(leading[2] - 'A' + 'a');
  argument.shape = fmt::format("{} x {}{} with {} {}", shape.rows, shape.columns,
                               shape.by_rows ? " in row order" : "", leading, shape.leading);
  if (shape.batch > 1)
    argument.shape += fmt::format(", {} times, {} apart", shape.batch, shape.stride);
  argument.name = std::move(name);
  argument.alignment = element_bytes;
  argument.side = {.address = reinterpret_cast<std::uint64_t>(pointer),
                   .row_pitch = unsigned_of(shape.leading) * element_bytes,
                   .slice_pitch = unsigned_of(shape.stride) * element_bytes};
  const auto [width, height] =
      shape.by_rows ? std::pair(shape.columns, shape.rows) : std::pair(shape.rows, shape.columns);
  argument.box = {.width = unsigned_of(width) * element_bytes,
                  .height = unsigned_of(height),
                  .depth = unsigned_of(shape.batch)};
  if (shape.part != MatrixShape::Part::all) argument.pieces = pieces_of(shape, element_bytes);
  set_use(argument, use);
  return argument;
}

}  // namespace warpsim::libraries
