#include "reduction.h"

#include <cuda_runtime.h>

constexpr int kBlock = 128;

template <int op>
struct Op;
template <> struct Op<kSum> {
	static __device__ float none() { return 0.0f; }
	static __device__ float both(float a, float b) { return a + b; }
};
template <> struct Op<kMin> {
	static __device__ float none() { return __int_as_float(0x7f800000); }
	static __device__ float both(float a, float b) { return fminf(a, b); }
};
template <> struct Op<kMax> {
	static __device__ float none() { return __int_as_float(0xff800000); }
	static __device__ float both(float a, float b) { return fmaxf(a, b); }
};
template <> struct Op<kProduct> {
	static __device__ float none() { return 1.0f; }
	static __device__ float both(float a, float b) { return a * b; }
};

template <int op>
__global__ void reduce(const float *in, float *out, int n)
{
	__shared__ float cache[kBlock];
	const int t = threadIdx.x;
	const int i = blockIdx.x * 2 * kBlock + t;
	float x = Op<op>::none();
	if (i + kBlock < n)
		x = Op<op>::both(in[i], in[i + kBlock]);	/* first step while loading */
	cache[t] = x;
	for (int s = kBlock / 2; s > 0; s >>= 1) {
		__syncthreads();
		if (t < s)
			cache[t] = Op<op>::both(cache[t], cache[t + s]);
	}
	if (t == 0)
		out[blockIdx.x] = cache[0];
}

template <int op>
static void run(const float *values, float *result, int n)
{
	float *tmp[2];
	int blocks = (n + 2 * kBlock - 1) / (2 * kBlock);
	cudaMalloc(&tmp[0], (blocks + 1) * sizeof(float));
	cudaMalloc(&tmp[1], (blocks + 1) * sizeof(float));
	int turn = 0;
	while (blocks > 1) {
		reduce<op><<<blocks, kBlock>>>(values, tmp[turn], n);
		values = tmp[turn];
		turn ^= 1;
		n = blocks;
		blocks = (n + 2 * kBlock - 1) / (2 * kBlock);
	}
	reduce<op><<<1, kBlock>>>(values, result, n);
	cudaFree(tmp[0]);
}

void reduction(const float *values, float *result, int n, int op)
{
	if (op == kSum)
		run<kSum>(values, result, n);
	else if (op == kMin)
		run<kMin>(values, result, n);
	else if (op == kMax)
		run<kMax>(values, result, n);
	else
		run<kProduct>(values, result, n);
}
