#pragma once

#include <algorithm>
#include <numeric>

#include "base.h"

/// A sparse matrix from compressed rows to jagged diagonals: rows by descending length, then the
/// k-th elements of all rows one after the other. The caller frees the five arrays.
inline void CSRToJDS(int dim, int* csrRowPtr, int* csrColIdx, float* csrData, int** jdsRowPerm,
                     int** jdsRowNNZ, int** jdsColStartIdx, int** jdsColIdx, float** jdsData) {
  const size_t rows = static_cast<size_t>(dim);
  const auto length = [&](int row) { return csrRowPtr[row + 1] - csrRowPtr[row]; };
  std::vector<int> order(rows);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return length(a) > length(b); });
  const size_t columns = rows > 0 ? static_cast<size_t>(length(order[0])) : 0;
  const size_t elements = static_cast<size_t>(csrRowPtr[dim] - csrRowPtr[0]);

  *jdsRowPerm = static_cast<int*>(calloc(rows + 1, sizeof(int)));
  *jdsRowNNZ = static_cast<int*>(calloc(rows + 1, sizeof(int)));
  *jdsColStartIdx = static_cast<int*>(calloc(columns + 1, sizeof(int)));
  *jdsColIdx = static_cast<int*>(calloc(elements + 1, sizeof(int)));
  *jdsData = static_cast<float*>(calloc(elements + 1, sizeof(float)));
  for (size_t i = 0; i < rows; ++i) {
    (*jdsRowPerm)[i] = order[i];
    (*jdsRowNNZ)[i] = length(order[i]);
  }
  int next = 0;
  for (size_t k = 0; k < columns; ++k) {
    (*jdsColStartIdx)[k] = next;
    for (size_t i = 0; i < rows && length(order[i]) > static_cast<int>(k); ++i, ++next) {
      const int from = csrRowPtr[order[i]] + static_cast<int>(k);
      (*jdsColIdx)[next] = csrColIdx[from];
      (*jdsData)[next] = csrData[from];
    }
  }
  (*jdsColStartIdx)[columns] = next;
}
