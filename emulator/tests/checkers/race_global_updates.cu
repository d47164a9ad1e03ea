#include "emulator/tests/checkers/pair.h"

// Threads of several blocks load a place and then store to it. An update is lost where the stored
// value is made of the loaded one or was compared with it; otherwise the load only decides who
// stores.

namespace {

enum class Stored { sum, selected, of_function, minimum, minimum_of_sum, level, own_index };

__device__ __noinline__ int next_of(int value) {
  return value * 3 + 1;
}

template <Stored kStored, bool kAtomic>
__global__ void store(const int* column, const int* weight, int* place, int level) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int v = column[i];
  if constexpr (kAtomic) {
    if (kStored == Stored::sum) atomicAdd(&place[v], 1);
    if (kStored == Stored::minimum) atomicMin(&place[v], weight[i]);
    if (kStored == Stored::level) atomicCAS(&place[v], 0, level + 1);
  } else {
    if (kStored == Stored::sum) place[v] = place[v] + 1;  // expect: race-global P30
    if (kStored == Stored::selected) {
      place[v] = weight[i] < place[v] ? weight[i] : place[v];  // expect: race-global P30
    }
    if (kStored == Stored::of_function) place[v] = next_of(place[v]);  // expect: race-global P30
    if (kStored == Stored::minimum) {
      const int mine = weight[i] - 1000;
      if (mine < place[v]) place[v] = mine;  // expect: race-global P30
    }
    if (kStored == Stored::minimum_of_sum) {
      if (place[v] > level + weight[i]) {
        place[v] = level + weight[i];  // expect: race-global P30
      }
    }
    if (kStored == Stored::level) {
      if (place[v] == 0) place[v] = level + 1;  // expect: race-global P39
    }
    if (kStored == Stored::own_index) {
      if (place[v] == 0) place[v] = i + 1;  // expect: race-global P39
    }
  }
}

// The load says nothing about what is stored.
__global__ void give_and_set(const int* column, int* place, int* seen) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int v = column[i];
  seen[i] = place[v];  // expect: race-global P33
  if (blockIdx.x == 0) place[v] = 7;
}

template <Stored kStored, bool kAtomic>
void run() {
  // Each thread of a block has a place of its own, and the blocks have the same ones.
  int *column = zeros<int>(128), *weight = zeros<int>(128), *place = zeros<int>(64);
  int host[128], weights[128];
  for (int i = 0; i < 128; ++i) {
    host[i] = i % 64;
    weights[i] = i < 64 ? -1 : -2;
  }
  look(cudaMemcpy(column, host, sizeof(host), cudaMemcpyHostToDevice));
  look(cudaMemcpy(weight, weights, sizeof(weights), cudaMemcpyHostToDevice));
  store<kStored, kAtomic><<<2, 64>>>(column, weight, place, 0);
  finish();
  release(column, weight, place);
}

void run_give_and_set(bool one_block) {
  int *column = zeros<int>(128), *place = zeros<int>(64), *seen = zeros<int>(128);
  int host[128];
  for (int i = 0; i < 128; ++i) host[i] = i % 64;
  look(cudaMemcpy(column, host, sizeof(host), cudaMemcpyHostToDevice));
  give_and_set<<<one_block ? 1 : 2, 64>>>(column, place, seen);
  finish();
  release(column, place, seen);
}

}  // namespace

void bug() {
  run<Stored::sum, false>();
  run<Stored::selected, false>();
  run<Stored::of_function, false>();
  run<Stored::minimum, false>();
  run<Stored::minimum_of_sum, false>();
  run<Stored::level, false>();
  run<Stored::own_index, false>();
  run_give_and_set(false);
}

void clean() {
  run<Stored::sum, true>();
  run<Stored::minimum, true>();
  run<Stored::level, true>();
  run_give_and_set(true);
}
