#include "emulator/tests/checkers/pair.h"

// Masks that name lanes which are not there, and the near misses.

// Lanes drop out of the loop, and the mask still names them.
__global__ void ragged_loop(const int* a, int* out, int n) {
  int sum = 0;
  for (int i = int(threadIdx.x); i < n; i += 32) {
    sum += __shfl_xor_sync(0xffffffffu, a[i], 1);  // expect: sync-mask
  }
  out[threadIdx.x] = sum;
}

__global__ void even_loop(const int* a, int* out, int n) {
  int sum = 0;
  for (int start = 0; start < n; start += 32) {
    const int i = start + int(threadIdx.x);
    sum += __shfl_xor_sync(0xffffffffu, i < n ? a[i] : 0, 1);
  }
  out[threadIdx.x] = sum;
}

// Half of the lanes go around the operation and do something else.
__global__ void go_around(int* a, int n) {
  int x = a[threadIdx.x];
  if (int(threadIdx.x) < n) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);  // expect: sync-mask
  }
  a[threadIdx.x] = x;
}

// Lanes without an element return at once; those that are left may still name them.
__global__ void return_early(int* a, int n) {
  if (int(threadIdx.x) >= n) return;
  int x = a[threadIdx.x];
  for (int step = 1; step < 8; step *= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  a[threadIdx.x] = x;
}

// The mask is what happens to be active in the branch.
__global__ void of_the_moment(int* a, int n) {
  const int x = a[threadIdx.x];
  if (int(threadIdx.x) < n) {
    const unsigned mask = __activemask();
    a[threadIdx.x] = __shfl_sync(mask, x, 0);  // expect warning: sync-mask
  }
}

// One addition for the lanes that are there, whichever they are: the leader is chosen from the
// mask.
__global__ void leader_of_the_moment(int* a, int* count, int n) {
  for (int i = int(threadIdx.x); i < n; i += 32) {
    if (a[i] != 0) continue;
    const unsigned mask = __match_any_sync(__activemask(), i / 64);
    const unsigned here = __activemask();
    const int leader = __ffs(int(here)) - 1;
    int base = 0;
    if (int(threadIdx.x) == leader) base = atomicAdd(count, __popc(here));
    base = __shfl_sync(here, base, leader);
    a[i] = base + __popc(here & ((1u << threadIdx.x) - 1)) + int(mask & 0);
  }
}

// The mask is made before the branch.
__global__ void made_before(int* a, int n) {
  const int x = a[threadIdx.x];
  const unsigned mask = __ballot_sync(0xffffffffu, int(threadIdx.x) < n);
  if (int(threadIdx.x) < n) a[threadIdx.x] = __shfl_sync(mask, x, 0);
}

void bug() {
  int *a = zeros<int>(64), *out = zeros<int>(32);
  ragged_loop<<<1, 32>>>(a, out, 48);
  go_around<<<1, 32>>>(a, 16);
  of_the_moment<<<1, 32>>>(a, 16);
  finish();
  release(a, out);
}

void clean() {
  int *a = zeros<int>(64), *out = zeros<int>(32);
  ragged_loop<<<1, 32>>>(a, out, 64);
  even_loop<<<1, 32>>>(a, out, 48);
  go_around<<<1, 32>>>(a, 32);
  return_early<<<1, 32>>>(a, 24);
  of_the_moment<<<1, 32>>>(a, 32);
  leader_of_the_moment<<<1, 32>>>(a, out, 48);
  made_before<<<1, 32>>>(a, 16);
  finish();
  release(a, out);
}
