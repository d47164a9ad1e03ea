#include "labs/pipeline/pipeline.h"

#include <utility>

#include "reference/exact/exact.h"

/// Values of very different sizes, so that another order gives another sum; the host adds them in
/// the order of the rows.
int main() {
  const std::pair<int, int> shapes[] = {{0, 40},  {1, 1},     {5, 17},   {31, 33},
                                        {64, 32}, {257, 100}, {1000, 65}};
  for (const auto& [rows, columns] : shapes) {
    std::vector<float> in(static_cast<std::size_t>(rows) * columns);
    unsigned state = 1;
    for (float& value : in) {
      state = state * 1664525 + 1013904223;
      value = static_cast<float>(state >> 8) / static_cast<float>(1 << (state >> 28));
      if (state >> 27 & 1) value = -value;
    }
    std::vector<float> want(columns);
    for (std::size_t i = 0; i < in.size(); ++i) want[i % columns] += in[i];
    exact::Device<float> device_in(in), out(std::vector<float>(want.size(), 7));
    ordered_sums(device_in.get(), out.get(), rows, columns);
    exact::require_equal(out.download(), want,
                         std::to_string(rows) + " rows, " + std::to_string(columns) + " columns");
  }
}
