#include "labs/softmax/softmax.h"

#include <utility>

#include "reference/exact/exact.h"

/// Rows of equal values, whose number is a power of two, and rows with one value that is larger by
/// 200 than the others: exp(0) is 1, exp(-200) is 0 in float, and nothing rounds.
int main() {
  const std::pair<int, int> shapes[] = {{1, 1}, {0, 5}, {7, 32}, {5, 256}, {3, 1024}, {2, 16384}};
  for (const auto& [rows, columns] : shapes) {
    std::vector<float> in(static_cast<std::size_t>(rows) * columns, -3.0f);
    std::vector<float> want(in.size(), 1.0f / static_cast<float>(columns));
    for (int i = 1; i < rows; i += 2) {
      for (int j = 0; j < columns; ++j) want[i * columns + j] = 0;
      in[i * columns + (7 * i) % columns] = 197.0f;
      want[i * columns + (7 * i) % columns] = 1;
    }
    exact::Device<float> device_in(in), out(std::vector<float>(in.size(), 7));
    softmax(device_in.get(), out.get(), rows, columns);
    exact::require_equal(out.download(), want,
                         std::to_string(rows) + " rows, " + std::to_string(columns) + " columns");
  }
}
