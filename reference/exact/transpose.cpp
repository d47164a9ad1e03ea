#include "labs/transpose/transpose.h"

#include <utility>

#include "reference/exact/exact.h"

int main() {
  const std::pair<int, int> shapes[] = {{1, 1}, {0, 5}, {33, 65}, {128, 64}, {300, 7}};
  for (const auto& [rows, columns] : shapes) {
    const auto in = exact::numbers(static_cast<std::size_t>(rows) * columns, 1000, 1);
    std::vector<float> want(in.size());
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) want[j * rows + i] = in[i * columns + j];
    }
    exact::Device<float> device_in(in), out(std::vector<float>(in.size(), 7));
    transpose(device_in.get(), out.get(), rows, columns);
    exact::require_equal(out.download(), want,
                         std::to_string(rows) + " rows, " + std::to_string(columns) + " columns");
  }
}
