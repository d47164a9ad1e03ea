#include "labs/spmv/spmv.h"

#include "reference/exact/exact.h"

/// Whole numbers in rows of several lengths: none, one element, some, and one row of all columns.
int main() {
  const int widths[] = {1, 40, 700, 3000};
  for (const int width : widths) {
    for (const int rows : {0, 1, 33, 500}) {
      std::vector<int> row_starts = {0};
      std::vector<int> columns;
      for (int i = 0; i < rows; ++i) {
        const int length = i % 5 == 0              ? 0
                           : i == 7                ? width
                           : (i * 11) % 50 < width ? (i * 11) % 50
                                                   : 1;
        for (int k = 0; k < length; ++k) columns.push_back(k * (width / length));
        row_starts.push_back(static_cast<int>(columns.size()));
      }
      const auto values = exact::numbers(columns.size(), 8, 1);
      const auto x = exact::numbers(width, 8, 2);
      std::vector<float> want(rows);
      for (int i = 0; i < rows; ++i) {
        for (int k = row_starts[i]; k < row_starts[i + 1]; ++k)
          want[i] += values[k] * x[columns[k]];
      }
      exact::Device<int> device_starts(row_starts), device_columns(columns);
      exact::Device<float> device_values(values), device_x(x), y(std::vector<float>(rows, 7));
      spmv(device_starts.get(), device_columns.get(), device_values.get(), device_x.get(), y.get(),
           rows, static_cast<int>(columns.size()));
      exact::require_equal(y.download(), want,
                           std::to_string(rows) + " rows, " + std::to_string(width) + " columns");
    }
  }
}
