// Function calls of every kind, initial values with addresses, inlined functions, inline PTX.
#include <cassert>
#include <cstdio>

struct Shape {
  __device__ virtual float area() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side = 2;
  __device__ float area() const override { return side * side; }
};

struct Pair {
  int* p;
  int k;
};

__device__ int table[4] = {1, 2, 3, 4};
__device__ int* pointers[2] = {table, table + 2};
__constant__ float weights[3][2] = {{1, 2}, {3}, {5, 6}};
__device__ Pair pair = {table + 1, 7};
__device__ const char* names[] = {"x", "yy", "zzz"};

__device__ __noinline__ int add_pair(int a, Pair s) {
  return a + s.k + *s.p;
}
__device__ int (*chosen)(int, Pair) = add_pair;

struct Record {
  char tag;
  int (*function)(int, Pair);
  short value;
};
__device__ Record records[2] = {{'a', add_pair, 3}, {'b', add_pair, -4}};

__device__ int inner(int x) {
  return x * table[x & 3];
}
__device__ int outer(int x) {
  return inner(x) + inner(x + 1);
}
__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern __shared__ float dynamic_shared[];

__global__ void __launch_bounds__(128, 2) calls(float* out, Pair s, int n, double d) {
  __shared__ float tile[16][4];
  const int i = threadIdx.x;
  tile[i & 15][i & 3] = weights[i % 3][i & 1] * dynamic_shared[i];
  __syncthreads();
  assert(n > 0);
  printf("%d %f %s\n", i, tile[0][0], names[n % 3]);
  out[i] = tile[3][i & 3] + chosen(i, s) + records[n & 1].function(n, s) + outer(n) + d;
  out[i + 1] = fibonacci(n);
  asm volatile(
      "{ .reg .pred p; .reg .b32 t<3>; setp.ne.u32 p, %0, 0; @p bra L1; mov.u32 t1, 5; L1: }" ::"r"(
          n));
  asm volatile(
      "{ .reg .pred p; .reg .b32 t<3>; setp.ne.u32 p, %0, 1; @p bra L1; mov.u32 t1, 5; L1: }" ::"r"(
          n));
  Shape* shape = new Square;
  out[i + 2] = shape->area();
  delete shape;
}
