#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "emulator/tests/support/device.h"

// Programs with one mistake each, for `warpsim --change`: "right" is printed when the results are
// right. Lines that changes name have numbers given by #line.

namespace {

using testing::Buffer;

constexpr int kBlock = 128;

/// Each thread reads what the thread of another warp wrote.
__global__ void reversed(const int* in, int* out) {
  __shared__ int tile[kBlock];
  const unsigned t = threadIdx.x;
#line 101
  tile[t] = in[t];

#line 105
  out[t] = tile[kBlock - 1 - t];
}

/// The same in a loop whose trips depend on the thread.
__global__ void reversed_in_steps(const int* in, int* out, int n) {
  __shared__ int tile[4 * kBlock];
  for (unsigned i = threadIdx.x; i < n; i += kBlock) {
#line 111
    tile[i] = in[i];
  }
  for (unsigned i = threadIdx.x; i < n; i += kBlock) {
#line 115
    out[i] = tile[n - 1 - i];
  }
}

/// Half of the threads never come to line 121, and wait elsewhere.
__global__ void parted(const int* in, int* out) {
  __shared__ volatile int tile[kBlock];
  const unsigned t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  for (unsigned i = t; i < kBlock; i += kBlock / 2) {
    if (in[i] >= 0) {
#line 121
      tile[t] = in[i];
    } else {
      __syncthreads();
    }
  }
#line 125
  out[t] = tile[t];
}

__global__ void count(const int* in, int* bins) {
#line 131
  bins[in[threadIdx.x]] += 1;
}

/// Adds up uninitialized values.
__global__ void sums(const int* in, int* out) {
  __shared__ int tile[2 * kBlock];
  __shared__ int other[kBlock];
  const unsigned t = threadIdx.x;
  tile[t] = in[t];
  other[t] = 0;
  __syncthreads();
#line 141
  out[t] = tile[t] + tile[t + kBlock] + other[t];
}

/// Some threads write and read beyond the array.
__global__ void unguarded(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#line 151
  const int value = in[i];
#line 152
  out[i] = value;
}

__global__ void copies(const int* in, int* out, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

/// Takes x for the row, and is launched with x for the column.
__global__ void cells(int* out, int rows, int columns) {
  const int row = threadIdx.x;
  const int column = threadIdx.y;
  if (row < rows && column < columns) out[row * columns + column] = 10 * row + column;
}

/// Rows and columns of a grid that is not square.
__global__ void tiles(int* out, int rows, int columns) {
  const int row = blockIdx.y;
  const int column = blockIdx.x;
  if (row < rows && column < columns) out[row * columns + column] = 1;
}

/// Reads a row-major matrix as if it were column-major.
__global__ void columns_first(const int* in, const int* like, int* out, int rows, int columns) {
  const int column = threadIdx.x;
  const int row = threadIdx.y;
#line 161
  out[row * columns + column] = in[column * rows + row] + like[row * columns + column];
}

/// The same through a tile with as many elements as the matrix.
__global__ void columns_first_to_tile(const int* in, int* out) {
  __shared__ int tile[16][16];
  const int column = threadIdx.x;
  const int row = threadIdx.y;
#line 165
  tile[row][column] = in[column * 16 + row];
  __syncthreads();
  out[row * 16 + column] = tile[row][column];
}

/// Stores a tile with its indices swapped, and reads it as it should.
template <int kPadding>
__global__ void tile_stored_wrong(const int* in, int* out, int rows, int columns) {
  __shared__ int tile[16][16 + kPadding];
  const int column = threadIdx.x;
  const int row = threadIdx.y;
  if (row < rows && column < columns) {
#line 171
    tile[column][row] = in[row * columns + column];
  }
  __syncthreads();
  if (row < rows && column < columns) {
#line 175
    out[row * columns + column] = tile[row][column];
  }
}

/// A transposition that is right.
__global__ void transposed(const int* in, int* out, int rows, int columns) {
  const int column = threadIdx.x;
  const int row = threadIdx.y;
#line 181
  out[column * rows + row] = in[row * columns + column];
}

/// The length of a row of `in` is the number of rows; the guard is right.
__global__ void columns_for_rows(const int* in, int* out, int rows, int columns) {
  const int column = threadIdx.x;
  const int row = threadIdx.y;
  if (row < rows && column < columns) out[row * columns + column] = in[row * rows + column];
}

/// The column counts rows.
__global__ void operands_exchanged(const int* in, int* out, int rows, int columns) {
  const int column = threadIdx.x;
  const int row = threadIdx.y;
  if (row < rows && column < columns) {
#line 191
    out[row * columns + column] =
#line 192
        in[column * columns + row];
  }
}

/// Adds up columns, with the same mistake.
__global__ void column_sums(const int* in, int* out, int rows, int columns) {
  const int column = threadIdx.x;
  int sum = 0;
  for (int row = 0; row < rows; ++row) sum += in[row * rows + column];
  if (column < columns) out[column] = sum;
}

__global__ void threads_for_blocks(const int* in, int* out, int n) {
  const unsigned i = threadIdx.x * blockDim.x + blockIdx.x;
  if (i < n) out[i] = in[i];
}

/// Letters above 127 are negative numbers.
__global__ void letters(const signed char* text, int* bins) {
  bins[text[threadIdx.x]] = 1;
}

std::vector<int> numbers(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i;
  return values;
}

std::vector<int> backwards(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = n - 1 - i;
  return values;
}

bool missing_barrier() {
  const Buffer<int> in(numbers(kBlock));
  Buffer<int> out(kBlock);
  reversed<<<1, kBlock>>>(in.get(), out.get());
  return out.download() == backwards(kBlock);
}

bool missing_barrier_behind_loop() {
  const int n = 3 * kBlock + 5;
  const Buffer<int> in(numbers(n));
  Buffer<int> out(n);
  reversed_in_steps<<<1, kBlock>>>(in.get(), out.get(), n);
  return out.download() == backwards(n);
}

/// Right: only whether a barrier could be added is of interest.
bool not_all_meet() {
  std::vector<int> values(kBlock, 1);
  values[3] = -1;
  const Buffer<int> in(values);
  Buffer<int> out(kBlock / 2);
  parted<<<1, kBlock / 2>>>(in.get(), out.get());
  return out.download() == std::vector<int>(kBlock / 2, 1);
}

bool lost_updates() {
  std::vector<int> values(kBlock);
  for (int i = 0; i < kBlock; ++i) values[i] = i % 3;
  const Buffer<int> in(values);
  Buffer<int> bins(std::vector<int>(3, 0));
  count<<<1, kBlock>>>(in.get(), bins.get());
  return bins.download() == std::vector<int>{43, 43, 42};
}

bool uninitialized_shared() {
  const Buffer<int> in(numbers(kBlock));
  Buffer<int> out(kBlock);
  sums<<<1, kBlock>>>(in.get(), out.get());
  return out.download() == numbers(kBlock);
}

bool uninitialized_global() {
  Buffer<int> in(kBlock);
  Buffer<int> out(kBlock);
  copies<<<1, kBlock>>>(in.get(), out.get(), kBlock);
  return out.download() == std::vector<int>(kBlock, 7);
}

bool out_of_range() {
  const int n = kBlock + 1;
  const Buffer<int> in(numbers(n));
  Buffer<int> out(n);
  unguarded<<<60000, kBlock>>>(in.get(), out.get());
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  return out.download() == numbers(n);
}

bool a_block_too_few() {
  const int n = 2 * kBlock + 1;
  const Buffer<int> in(numbers(n));
  Buffer<int> out(std::vector<int>(n, -1));
  copies<<<n / kBlock, kBlock>>>(in.get(), out.get(), n);
  return out.download() == numbers(n);
}

bool block_too_large() {
  const int n = 3000;
  const Buffer<int> in(numbers(n));
  Buffer<int> out(std::vector<int>(n, -1));
  copies<<<1, n>>>(in.get(), out.get(), n);
  static_cast<void>(cudaGetLastError());
  return out.download() == numbers(n);
}

bool axes() {
  const int rows = 3, columns = 5;
  Buffer<int> out(std::vector<int>(rows * columns, -1));
  cells<<<1, dim3(columns, rows)>>>(out.get(), rows, columns);
  std::vector<int> wanted(rows * columns);
  for (int i = 0; i < rows * columns; ++i) wanted[i] = i / columns * 10 + i % columns;
  return out.download() == wanted;
}

bool grid_axes() {
  const int rows = 3, columns = 5;
  Buffer<int> out(std::vector<int>(rows * columns, 0));
  tiles<<<dim3(rows, columns), 1>>>(out.get(), rows, columns);
  return out.download() == std::vector<int>(rows * columns, 1);
}

bool index_pair(int rows, int columns) {
  const Buffer<int> in(numbers(rows * columns));
  const Buffer<int> like(std::vector<int>(rows * columns, 100));
  Buffer<int> out(rows * columns);
  columns_first<<<1, dim3(columns, rows)>>>(in.get(), like.get(), out.get(), rows, columns);
  std::vector<int> wanted = numbers(rows * columns);
  for (int& value : wanted) value += 100;
  return out.download() == wanted;
}

bool index_pair_beside_tile() {
  const Buffer<int> in(numbers(256));
  Buffer<int> out(256);
  columns_first_to_tile<<<1, dim3(16, 16)>>>(in.get(), out.get());
  return out.download() == numbers(256);
}

template <int kPadding>
bool tile_pair() {
  const int rows = 14, columns = 16;
  const Buffer<int> in(numbers(rows * columns));
  Buffer<int> out(rows * columns);
  tile_stored_wrong<kPadding><<<1, dim3(columns, rows)>>>(in.get(), out.get(), rows, columns);
  return out.download() == numbers(rows * columns);
}

bool transposition(int rows, int columns) {
  const Buffer<int> in(numbers(rows * columns));
  Buffer<int> out(rows * columns);
  transposed<<<1, dim3(columns, rows)>>>(in.get(), out.get(), rows, columns);
  std::vector<int> wanted(rows * columns);
  for (int i = 0; i < rows * columns; ++i) wanted[i % columns * rows + i / columns] = i;
  return out.download() == wanted;
}

bool row_length() {
  const int rows = 7, columns = 5;
  const Buffer<int> in(numbers(rows * columns));
  Buffer<int> out(rows * columns);
  columns_for_rows<<<1, dim3(columns, rows)>>>(in.get(), out.get(), rows, columns);
  return out.download() == numbers(rows * columns);
}

bool exchanged_operands() {
  const int rows = 5, columns = 7;
  const Buffer<int> in(numbers(rows * columns));
  Buffer<int> out(rows * columns);
  operands_exchanged<<<1, dim3(columns, rows)>>>(in.get(), out.get(), rows, columns);
  return out.download() == numbers(rows * columns);
}

bool row_length_in_loop() {
  const int rows = 7, columns = 5;
  const Buffer<int> in(numbers(rows * columns));
  Buffer<int> out(columns);
  column_sums<<<1, columns>>>(in.get(), out.get(), rows, columns);
  return out.download() == std::vector<int>{105, 112, 119, 126, 133};
}

bool thread_and_block() {
  const int n = 3 * kBlock - 1;
  const Buffer<int> in(numbers(n));
  Buffer<int> out(std::vector<int>(n, -1));
  threads_for_blocks<<<3, kBlock>>>(in.get(), out.get(), n);
  return out.download() == numbers(n);
}

bool signed_bytes() {
  std::vector<signed char> text(kBlock);
  for (int i = 0; i < kBlock; ++i) text[i] = static_cast<signed char>(2 * i);
  const Buffer<signed char> in(text);
  Buffer<int> bins(std::vector<int>(256, 0));
  letters<<<1, kBlock>>>(in.get(), bins.get());
  std::vector<int> wanted(256);
  for (int i = 0; i < 256; ++i) wanted[i] = 1 - i % 2;
  return bins.download() == wanted;
}

bool too_little_copied() {
  const std::vector<int> values = numbers(kBlock);
  Buffer<int> out(std::vector<int>(kBlock, -1));
  static_cast<void>(cudaMemcpy(out.get(), values.data(), kBlock, cudaMemcpyHostToDevice));
  return out.download() == values;
}

bool too_little_set() {
  Buffer<int> out(std::vector<int>(kBlock, -1));
  static_cast<void>(cudaMemset(out.get(), 0, kBlock));
  return out.download() == std::vector<int>(kBlock, 0);
}

bool too_little_allocated() {
  const std::vector<int> values = numbers(kBlock);
  int* array = nullptr;
  if (cudaMalloc(&array, kBlock) != cudaSuccess) return false;
  const auto bytes = kBlock * sizeof(int);
  static_cast<void>(cudaMemcpy(array, values.data(), bytes, cudaMemcpyHostToDevice));
  std::vector<int> back(kBlock);
  static_cast<void>(cudaMemcpy(back.data(), array, bytes, cudaMemcpyDeviceToHost));
  static_cast<void>(cudaFree(array));
  return back == values;
}

bool direction() {
  const std::vector<int> values = numbers(kBlock);
  Buffer<int> out(kBlock);
  static_cast<void>(
      cudaMemcpy(out.get(), values.data(), kBlock * sizeof(int), cudaMemcpyDeviceToHost));
  std::vector<int> back(kBlock);
  static_cast<void>(
      cudaMemcpy(back.data(), out.get(), kBlock * sizeof(int), cudaMemcpyDeviceToHost));
  return back == values;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<bool()>> programs = {
      {"missing_barrier", missing_barrier},
      {"missing_barrier_behind_loop", missing_barrier_behind_loop},
      {"not_all_meet", not_all_meet},
      {"lost_updates", lost_updates},
      {"uninitialized_shared", uninitialized_shared},
      {"uninitialized_global", uninitialized_global},
      {"out_of_range", out_of_range},
      {"a_block_too_few", a_block_too_few},
      {"block_too_large", block_too_large},
      {"axes", axes},
      {"grid_axes", grid_axes},
      {"row_length", row_length},
      {"exchanged_operands", exchanged_operands},
      {"row_length_in_loop", row_length_in_loop},
      {"thread_and_block", thread_and_block},
      {"signed_bytes", signed_bytes},
      {"too_little_copied", too_little_copied},
      {"too_little_set", too_little_set},
      {"too_little_allocated", too_little_allocated},
      {"direction", direction},
      {"index_pair", [] { return index_pair(5, 7); }},
      {"index_pair_square", [] { return index_pair(6, 6); }},
      {"index_pair_beside_tile", index_pair_beside_tile},
      {"tile_pair", tile_pair<0>},
      {"padded_tile_pair", tile_pair<1>},
      {"transposition", [] { return transposition(5, 7); }},
  };
  const auto it = argc > 1 ? programs.find(argv[1]) : programs.end();
  if (it == programs.end()) return 2;
  std::puts(it->second() ? "right" : "wrong");
  return 0;
}
