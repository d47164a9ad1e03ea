#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>

#include "emulator/tests/differential/map_case.h"

namespace differential {
namespace {

constexpr std::size_t kMostEdgeRows = 4000;
constexpr std::size_t kRandomRows = 499;

using Row = std::vector<std::uint64_t>;

std::vector<Row> edge_rows(const std::vector<const ValueType*>& types) {
  std::size_t combinations = 1;
  for (const ValueType* type : types) combinations *= type->edges.size();
  // A stride that shares no factor with the number of combinations visits them evenly.
  std::size_t stride = 1;
  if (combinations > kMostEdgeRows) {
    stride = combinations / kMostEdgeRows;
    while (std::gcd(stride, combinations) != 1) ++stride;
  }
  std::vector<Row> rows;
  for (std::size_t index = 0; index < combinations; index += stride) {
    Row row;
    std::size_t rest = index;
    for (const ValueType* type : types) {
      row.push_back(type->edges[rest % type->edges.size()]);
      rest /= type->edges.size();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string show_row(const std::vector<const ValueType*>& types, const Row& row) {
  std::string text = "(";
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += (i == 0 ? "" : ", ") + types[i]->show(&row[i]);
  }
  return text + ")";
}

/// @throws Mismatch
void run_map(const MapCase& map) {
  std::vector<Row> candidates = edge_rows(map.arguments);
  std::mt19937_64 generator(20261121);
  for (std::size_t i = 0; i < kRandomRows; ++i) {
    Row row;
    for (const ValueType* type : map.arguments) row.push_back(type->random(generator));
    candidates.push_back(std::move(row));
  }

  // The rows that mean something, with what the host says of them.
  std::vector<Row> rows;
  std::vector<std::byte> want, result(map.result_size);
  for (Row& row : candidates) {
    if (!map.host(row.data(), result.data())) continue;
    want.insert(want.end(), result.begin(), result.end());
    rows.push_back(std::move(row));
  }
  if (rows.size() % 32 == 0) {
    rows.pop_back();
    want.resize(want.size() - map.result_size);
  }

  std::vector<std::unique_ptr<testing::Buffer<std::byte>>> columns;
  std::vector<const void*> pointers;
  for (std::size_t argument = 0; argument < map.arguments.size(); ++argument) {
    const std::size_t size = map.arguments[argument]->size;
    std::vector<std::byte> column(rows.size() * size);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::memcpy(&column[i * size], &rows[i][argument], size);
    }
    columns.push_back(std::make_unique<testing::Buffer<std::byte>>(column));
    pointers.push_back(columns.back()->get());
  }
  testing::Buffer<std::byte> out(want.size());
  map.launch(out.get(), int(rows.size()), pointers.data());
  FINISH_LAUNCH();
  const std::vector<std::byte> got = out.download();

  const auto agree = [&](std::size_t i) {
    const std::byte* a = &got[i * map.result_size];
    const std::byte* b = &want[i * map.result_size];
    if (map.result != nullptr) return map.result->agree(a, b, map.tolerance);
    return std::memcmp(a, b, map.result_size) == 0;
  };
  const auto show = [&](const std::vector<std::byte>& from, std::size_t i) {
    const std::byte* at = &from[i * map.result_size];
    return map.result != nullptr ? map.result->show(at) : show_bytes(at, map.result_size);
  };
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (agree(i)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return;
  throw Mismatch("lane " + std::to_string(first) + " got " + show(got, first) + " want " +
                 show(want, first) + " for " + show_row(map.arguments, rows[first]) + "; " +
                 std::to_string(wrong) + " of " + std::to_string(rows.size()) + " lanes differ");
}

}  // namespace

void add_map_case(Suite& suite, std::string name, MapCase map) {
  suite.add(std::move(name), [map = std::move(map)] { run_map(map); });
}

}  // namespace differential
