#include "emulator/tests/checkers/pair.h"

// Blocks that share places in global memory with nothing that orders them.

namespace counter {

template <bool kAtomic>
__global__ void count(const int* a, int* counter) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i % 64 != 0 || a[i] != 0) return;
  const int mine = 1 << (8 * blockIdx.x);  // so that no two blocks store one sum
  if (kAtomic) {
    atomicAdd(counter, mine);
  } else {
    *counter += mine;  // expect: race-global
  }
}

template <bool kAtomic>
void run() {
  int *a = zeros<int>(256), *b = zeros<int>(1);
  count<kAtomic><<<4, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace counter

namespace halo {

// Each block writes its part, and one element more than its part.
__global__ void smooth(const int* a, int* b, int extra) {
  const int i = int(blockIdx.x * 64 + threadIdx.x);
  if (threadIdx.x < 64 + unsigned(extra)) b[i] = a[i] + int(blockIdx.x);  // expect: race-global
}

void run(int extra) {
  int *a = zeros<int>(256), *b = zeros<int>(256);
  smooth<<<3, 96>>>(a, b, extra);
  finish();
  release(a, b);
}

}  // namespace halo

namespace in_place {

// A stencil that overwrites its input while other blocks read it.
__global__ void shift(const int* from, int* to) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int next = from[i + 1];  // expect: race-global
  __syncthreads();
  to[i] = next;
}

void run(bool separate) {
  int *a = zeros<int>(257), *b = zeros<int>(257);
  shift<<<4, 64>>>(a, separate ? b : a);
  finish();
  release(a, b);
}

}  // namespace in_place

namespace agreed_value {

// The lanes of a warp read a place, meet, and store one value there. Where each of them has added
// to what it read, only one addition is left.
template <bool kOwnSum>
__global__ void store(int* total, int* b) {
  const int i = int(threadIdx.x);
  const int before = *total;
  b[i] = before;
  __syncwarp();
  *total = kOwnSum ? before + 1 : 5;  // expect: race-global P30
}

template <bool kOwnSum>
void run() {
  int *total = zeros<int>(1), *b = zeros<int>(32);
  store<kOwnSum><<<1, 32>>>(total, b);
  finish();
  release(total, b);
}

}  // namespace agreed_value

namespace fence {

// A fence does not wait for other blocks, nor for the rest of its own.
__global__ void divide(const int* a, int* total, int* b) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(total, a[i] + 1);
  __threadfence();
  b[i] = *total;  // expect: race-global P33 // expect warning: warp-synchronous
}

__global__ void add(const int* a, int* total) {
  atomicAdd(total, a[blockIdx.x * blockDim.x + threadIdx.x] + 1);
}

__global__ void give(const int* total, int* b) {
  b[blockIdx.x * blockDim.x + threadIdx.x] = *total;
}

// In one block a barrier is enough.
__global__ void divide_in_block(const int* a, int* total, int* b) {
  const int i = int(threadIdx.x);
  atomicAdd(total, a[i] + 1);
  __threadfence();
  b[i] = *total;  // expect: race-global P22 // expect warning: warp-synchronous
}

template <bool kTwoKernels>
void run() {
  int *a = zeros<int>(256), *total = zeros<int>(1), *b = zeros<int>(256);
  if (kTwoKernels) {
    add<<<4, 64>>>(a, total);
    give<<<4, 64>>>(total, b);
  } else {
    divide<<<4, 64>>>(a, total, b);
    divide_in_block<<<1, 64>>>(a, total, b);
  }
  finish();
  release(a, total, b);
}

}  // namespace fence

namespace same_value {

// A flag that every block may raise, by a store and by an atomic.
template <bool kAtomic>
__global__ void any(const int* a, int* found) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (a[i] == 0 && threadIdx.x == 0) {
    if (kAtomic) {
      atomicExch(found, 1);
    } else {
      *found = 1;  // expect warning: race-same-value // detail: -
    }
  }
}

template <bool kAtomic>
void run() {
  int *a = zeros<int>(256), *b = zeros<int>(1);
  any<kAtomic><<<4, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace same_value

namespace rows {

// Rows of 33 elements, so that lines hold parts of several. All blocks of a column write all rows.
__global__ void same(float* c, int step) {
  const int col = int(blockIdx.x * 16 + threadIdx.x);
  for (int first = int(blockIdx.y) * 16; first < 65; first += step) {
    const int row = first + int(threadIdx.y);
    if (row < 65 && col < 33) {
      const float value = float(row) + 0.5f * float(col);
      c[row * 33 + col] = value;  // expect warning: race-same-value // detail: blocks-overlap
    }
  }
}

// Here what the blocks write differs.
__global__ void different(float* c, int step) {
  const int col = int(blockIdx.x * 16 + threadIdx.x);
  for (int first = int(blockIdx.y) * 16; first < 65; first += step) {
    const int row = first + int(threadIdx.y);
    if (row < 65 && col < 33) {
      const float value = float(col) + float(blockIdx.y);
      c[row * 33 + col] = value;  // expect: race-global // detail: blocks-overlap
    }
  }
}

void run(int step) {
  float *a = zeros<float>(65 * 33), *b = zeros<float>(65 * 33);
  same<<<dim3(3, 4), dim3(16, 16)>>>(a, step);
  different<<<dim3(3, 4), dim3(16, 16)>>>(b, step);
  finish();
  release(a, b);
}

}  // namespace rows

namespace shapes {

// In blocks with even numbers some lanes of a warp store by one instruction and the others by
// another, in the others all by one.
template <bool kApart>
__global__ void same(float* c) {
  const int i = int(threadIdx.x + kApart * blockIdx.x * blockDim.x);
  const float value = 0.5f * float(threadIdx.x) + 1;
  if (blockIdx.x % 2 == 1) {
    c[i] = value;  // expect warning: race-same-value // detail: blocks-overlap
  } else if (threadIdx.x % 32 < 8) {
    asm volatile("// few lanes" ::: "memory");
    c[i] = value;  // expect warning: race-same-value // detail: blocks-overlap
    asm volatile("// few lanes" ::: "memory");
  } else {
    asm volatile("// the others" ::: "memory");
    c[i] = value;  // expect warning: race-same-value // detail: blocks-overlap
    asm volatile("// the others" ::: "memory");
  }
}

__global__ void different(float* c) {
  const int i = int(threadIdx.x);
  const float value = 0.5f * float(i) + 1;
  if (blockIdx.x % 2 == 1) {
    c[i] = i % 32 == 8 ? value + 1 : value;  // expect: race-global // detail: blocks-overlap
  } else if (i % 32 < 8) {
    asm volatile("// few lanes" ::: "memory");
    c[i] = value;  // expect: race-global // detail: blocks-overlap
    asm volatile("// few lanes" ::: "memory");
  } else {
    asm volatile("// the others" ::: "memory");
    c[i] = value;
    asm volatile("// the others" ::: "memory");
  }
}

template <bool kApart>
void run() {
  float *a = zeros<float>(9 * 64), *b = zeros<float>(64);
  same<kApart><<<9, 64>>>(a);
  if (!kApart) different<<<2, 64>>>(b);
  finish();
  release(a, b);
}

}  // namespace shapes

namespace scope {

// atomicAdd_block is atomic for its block only.
template <bool kBlock>
__global__ void count(int* counter) {
  if (kBlock) {
    atomicAdd_block(counter, 1);  // expect: race-global
  } else {
    atomicAdd(counter, 1);
  }
}

template <bool kBlock>
void run() {
  int* b = zeros<int>(1);
  count<kBlock><<<4, 64>>>(b);
  finish();
  release(b);
}

}  // namespace scope

namespace bytes {

// Neighbouring bytes are places of their own.
__global__ void mark(unsigned char* b, int by) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  b[i / by] = static_cast<unsigned char>(blockIdx.x);  // expect: race-global
}

void run(int by) {
  unsigned char* b = zeros<unsigned char>(66);
  mark<<<6, 11>>>(b, by);
  finish();
  release(b);
}

}  // namespace bytes

namespace inside {

// The warps of one block hand data over in global memory.
template <bool kBarrier>
__global__ void reverse(int* a, int* b) {
  const int i = int(threadIdx.x);
  a[i] = i;
  if (kBarrier) __syncthreads();
  b[i] = a[127 - i];  // expect: race-global
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(128), *b = zeros<int>(128);
  reverse<kBarrier><<<1, 128>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace inside

namespace scatter {

// Many threads choose one place: the last one wins, whichever that is.
__global__ void scatter(int* b, int places) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  b[i * 7 % places] = i;  // expect: race-global
}

void run(int places) {
  int* b = zeros<int>(256);
  scatter<<<8, 32>>>(b, places);
  finish();
  release(b);
}

}  // namespace scatter

namespace two_arrays {

// Two blocks meet in one array, and one of them meets a third block in another array.
__global__ void mark(int* a, int* b, int apart) {
  const int i = int(threadIdx.x);
  const int place = i + 32 * apart * int(blockIdx.x);
  if (blockIdx.x == 0) a[place] = i;  // expect: race-global
  if (blockIdx.x == 1) {
    b[place] = i;
    a[place] = i + 1;
  }
  if (blockIdx.x == 2) b[place] = i + 2;  // expect: race-global
}

void run(int apart) {
  int *a = zeros<int>(96), *b = zeros<int>(96);
  mark<<<3, 32>>>(a, b, apart);
  finish();
  release(a, b);
}

}  // namespace two_arrays

namespace columns {

// Each thread has a column, and its neighbours' where `wide` is 2.
__global__ void store(float* c, int rows, int columns, int wide) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  for (int column = i; column < i + wide && column < columns; ++column) {
    for (int row = 0; row < rows; ++row) {
      float& at = c[column * 40 + row];
      at = float(i);  // expect: race-global // expect warning: warp-synchronous
    }
  }
}

void run(int wide) {
  float* c = zeros<float>(96 * 40);
  store<<<3, 32>>>(c, 8, 96, wide);
  finish();
  release(c);
}

}  // namespace columns

void bug() {
  counter::run<false>();
  halo::run(1);
  in_place::run(false);
  same_value::run<false>();
  agreed_value::run<true>();
  fence::run<false>();
  rows::run(16);
  shapes::run<false>();
  scope::run<true>();
  bytes::run(2);
  inside::run<false>();
  scatter::run(32);
  two_arrays::run(0);
  columns::run(2);
}
void clean() {
  counter::run<true>();
  halo::run(0);
  in_place::run(true);
  same_value::run<true>();
  agreed_value::run<false>();
  fence::run<true>();
  rows::run(64);
  shapes::run<true>();
  scope::run<false>();
  bytes::run(1);
  inside::run<true>();
  scatter::run(256);
  two_arrays::run(1);
  columns::run(1);
}
