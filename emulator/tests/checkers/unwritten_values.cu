#include "emulator/tests/checkers/pair.h"

// Unwritten bytes that are read, and whether their value matters in the end.

struct Padded {
  char tag;
  int value;
  short rest;
};

__device__ Padded make(int i) {
  Padded p;
  p.tag = char(i);
  p.value = i;
  p.rest = short(i);
  return p;
}

__global__ void fill(Padded* to) {
  Padded p = make(int(threadIdx.x));
  to[threadIdx.x].tag = p.tag;
  to[threadIdx.x].value = p.value;
  to[threadIdx.x].rest = p.rest;
}

// Copies words with padding inside, through registers and through shared memory.
__global__ void copy_padded(const unsigned long long* from, unsigned long long* to) {
  __shared__ unsigned long long stage[48];
  for (int i = int(threadIdx.x); i < 48; i += 32) stage[i] = from[i];
  __syncthreads();
  for (int i = int(threadIdx.x); i < 48; i += 32) to[i] = stage[i];
}

__global__ void use_padded(const Padded* from, int* out) {
  const Padded p = from[threadIdx.x];
  out[threadIdx.x] = p.tag + p.value + p.rest;
}

struct Fields {
  unsigned low : 3;
  unsigned middle : 20;
  unsigned high : 9;
};

// Each field is set by reading its neighbours along.
__global__ void set_fields(Fields* f, int* out) {
  Fields& mine = f[threadIdx.x];
  mine.low = threadIdx.x & 7;
  mine.middle = threadIdx.x;
  if (mine.low > 3) out[threadIdx.x] = int(mine.middle);
}

// A set of bits: each thread sets one in an uninitialized word, and clears another.
__global__ void set_bits(unsigned* words, const unsigned* places) {
  unsigned word = words[threadIdx.x];
  word |= 1u << places[threadIdx.x];
  word &= ~(2u << places[threadIdx.x]);
  words[threadIdx.x] = word;
}

// Reads ahead of the data and throws away what is beyond it.
__global__ void read_ahead(const int* a, int n, int* out) {
  const int i = int(threadIdx.x);
  const int ahead = a[i];
  const int kept = i < n ? ahead : -1;
  const int masked = ahead & (i < n ? ~0 : 0);
  out[i] = kept + masked + (ahead ^ ahead) + 0 * ahead;
}

// The value decides a branch.
__global__ void branch(const int* a, int* out) {
  if (a[threadIdx.x] == 12345) out[threadIdx.x] = 1;  // expect: unwritten-global-read
}

// It becomes an index.
__global__ void index(const int* a, int* out) {
  const int k = a[threadIdx.x] & 31;  // expect: unwritten-global-read
  out[k] = 1;
}

// It goes through a shuffle reduction and shared memory before it is a result.
__global__ void reduce(const float* a, float* out) {
  __shared__ float partial[2];
  float sum = a[threadIdx.x];  // expect: unwritten-global-read
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) *out = partial[0] + partial[1];
}

__device__ __noinline__ int twice(int x) {
  return 2 * x;
}

// It is passed to a function and comes back.
__global__ void call(const int* a, int* out) {
  const int x = a[threadIdx.x];  // expect: unwritten-global-read
  out[threadIdx.x] = twice(x) + 1;
}

// It is combined with a value that keeps one of its bits, as "true for all" does.
__global__ void all_true(int n, int* out) {
  __shared__ int part[32];
  if (int(threadIdx.x) < n) part[threadIdx.x] = 1;
  __syncthreads();
  for (int step = 1; step < 32; step *= 2) {
    const int left = 2 * step * int(threadIdx.x);
    if (left < 32) part[left] = part[left] & part[left + step];  // expect: unwritten-shared-read
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}

// It is printed.
__global__ void print(const int* a) {
  if (threadIdx.x == 31) printf("%d %d\n", 5, a[threadIdx.x]);  // expect: unwritten-global-read
}

// A flag computed from it is stored as a byte, and the flag decides.
__global__ void flags(const int* a, int* out) {
  __shared__ bool positive[32];
  positive[threadIdx.x] = a[threadIdx.x] > 0;  // expect: unwritten-global-read
  __syncthreads();
  if (positive[31 - threadIdx.x]) out[threadIdx.x] = 1;
}

struct State {
  int drawn;
  float kept;  // valid from the second draw on
};

// A state is copied, used and stored: where it was, or as another thread's.
__global__ void draw(State* states, int to) {
  __shared__ State mine[32];
  const int i = int(threadIdx.x);
  mine[i] = states[i];  // expect: unwritten-global-read
  __syncthreads();
  mine[i].drawn += 1;
  __syncthreads();
  states[i + to] = mine[i];
}
__global__ void start(State* states) {
  states[threadIdx.x].drawn = 0;
}

// Nobody needs the old value, and the new one is there for others.
__global__ void exchange(int* a) {
  atomicExch(&a[threadIdx.x], 1);
}

void run(bool whole) {
  int* a = nullptr;
  int* out = zeros<int>(64);
  if (cudaMalloc(&a, 256) != cudaSuccess) return;
  if (cudaMemset(a, 0, whole ? 256 : 124) != cudaSuccess) return;
  branch<<<1, 32>>>(a, out);
  index<<<1, 32>>>(a, out);
  reduce<<<1, 64>>>(reinterpret_cast<float*>(a), reinterpret_cast<float*>(out));
  call<<<1, 32>>>(a, out);
  all_true<<<1, 32>>>(whole ? 32 : 20, out);
  print<<<1, 32>>>(a);
  flags<<<1, 32>>>(a, out);
  State* states = nullptr;
  if (cudaMalloc(&states, 64 * sizeof(State)) != cudaSuccess) return;
  start<<<1, 32>>>(states);
  draw<<<1, 32>>>(states, whole ? 0 : 32);
  finish();
  release(a, out, states);
}

void harmless() {
  int* out = zeros<int>(64);
  Padded *padded = nullptr, *copied = nullptr;
  Fields* fields = nullptr;
  int* some = nullptr;
  if (cudaMalloc(&padded, 32 * sizeof(Padded)) != cudaSuccess) return;
  if (cudaMalloc(&copied, 32 * sizeof(Padded)) != cudaSuccess) return;
  if (cudaMalloc(&fields, 32 * sizeof(Fields)) != cudaSuccess) return;
  if (cudaMalloc(&some, 128) != cudaSuccess) return;
  if (cudaMemset(some, 0, 80) != cudaSuccess) return;
  fill<<<1, 32>>>(padded);
  copy_padded<<<1, 32>>>(reinterpret_cast<unsigned long long*>(padded),
                         reinterpret_cast<unsigned long long*>(copied));
  use_padded<<<1, 32>>>(copied, out);
  set_fields<<<1, 32>>>(fields, out);
  set_bits<<<1, 32>>>(reinterpret_cast<unsigned*>(fields), reinterpret_cast<unsigned*>(out));
  read_ahead<<<1, 32>>>(some, 20, out);
  exchange<<<1, 32>>>(some);
  branch<<<1, 32>>>(some, out);
  finish();
  release(out, padded, copied, fields, some);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
  harmless();
}
