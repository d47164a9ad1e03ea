#include "harness/lab/read_sparse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "harness/lab/checks.h"

namespace warpgrade {

namespace {

bool is_index_type(ElementType type) {
  return !is_float(type) && type != ElementType::boolean && type != ElementType::character;
}

const SparseMatrix* find_matrix(const Lab& lab, std::string_view name) {
  const auto found = std::find_if(lab.matrices.begin(), lab.matrices.end(),
                                  [&](const SparseMatrix& m) { return m.name == name; });
  return found == lab.matrices.end() ? nullptr : &*found;
}

/// By default the dim of the same name.
Expression read_extent(TomlTable& row, const std::string& key,
                       const std::vector<Dataset>& datasets) {
  Expression extent = row.has(key) ? row.expression(key) : Expression(key);
  check_dims(row, key, extent, datasets);
  return extent;
}

Expression part_extent(const SparseMatrix& matrix, SparsePart part) {
  switch (part) {
    case SparsePart::row_starts:
      return Expression(fmt::format("{} + 1", matrix.rows->text()));
    case SparsePart::diagonal_starts:
      return Expression(fmt::format("{} + 1", matrix.longest->text()));
    case SparsePart::row_order:
    case SparsePart::row_lengths:
      return *matrix.rows;
    case SparsePart::row_indices:
    case SparsePart::columns:
    case SparsePart::values:
      break;
  }
  return *matrix.nonzeros;
}

}  // namespace

void read_sparse_matrix(TomlTable& row, std::string_view title,
                        const std::vector<Dataset>& datasets, Lab& lab) {
  SparseMatrix matrix;
  matrix.name = row.string("name");
  row.set_title(fmt::format("{} \"{}\"", title, matrix.name));
  if (!is_identifier(matrix.name) || find_matrix(lab, matrix.name) != nullptr) {
    row.fail("name",
             fmt::format("matrix name '{}' {}", matrix.name,
                         is_identifier(matrix.name) ? "occurs twice; rename one"
                                                    : "must be lower-case letters, digits and _"));
  }
  matrix.format = static_cast<SparseFormat>(row.choice("format", sparse_format_names()));
  matrix.rows = read_extent(row, "rows", datasets);
  matrix.columns = read_extent(row, "columns", datasets);
  matrix.nonzeros = read_extent(row, "nonzeros", datasets);
  if (matrix.format == SparseFormat::jds || row.has("longest")) {
    matrix.longest = read_extent(row, "longest", datasets);
  }
  row.finish();
  lab.matrices.push_back(std::move(matrix));
}

void read_sparse_part(TomlTable& row, std::string_view title, const Lab& lab,
                      Parameter& parameter) {
  parameter.matrix = row.string("of");
  std::vector<std::string> known;
  for (const SparseMatrix& candidate : lab.matrices) known.push_back(candidate.name);
  check_known(row, "of", parameter.matrix, known, title);
  const SparseMatrix& matrix = *find_matrix(lab, parameter.matrix);
  parameter.part = static_cast<SparsePart>(row.choice("part", sparse_part_names()));
  const std::string format = sparse_format_names().at(static_cast<std::size_t>(matrix.format));
  const std::string part = row.string("part");
  if (!has_part(matrix.format, parameter.part)) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < sparse_part_names().size(); ++i) {
      if (has_part(matrix.format, static_cast<SparsePart>(i))) {
        parts.push_back(sparse_part_names()[i]);
      }
    }
    row.fail("part", fmt::format("a matrix in format {} has no part '{}'; it has {}", format, part,
                                 fmt::join(parts, ", ")));
  }
  if (parameter.role != Role::input) {
    row.fail("role", fmt::format("'{}' is part of a sparse matrix and therefore an input; write "
                                 "role = \"input\"",
                                 parameter.name));
  }
  if (parameter.part != SparsePart::values && !is_index_type(parameter.type)) {
    row.fail("type", fmt::format("'{}' holds indices; write type = \"i32\"", parameter.name));
  }
  if (row.has("shape")) {
    row.fail("shape", fmt::format("the shape of '{}' follows from {} \"{}\"; "
                                  "remove 'shape'",
                                  parameter.name, title, matrix.name));
  }
  for (const Parameter& other : lab.parameters) {
    if (other.matrix == parameter.matrix && other.part == parameter.part) {
      row.fail("part", fmt::format("'{}' is part '{}' of the matrix already; remove one",
                                   other.name, part));
    }
  }
  parameter.shape = {part_extent(matrix, parameter.part)};
}

}  // namespace warpgrade
