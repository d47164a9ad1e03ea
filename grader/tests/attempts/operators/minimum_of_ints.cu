#include "operators.h"

#include <cuda_runtime.h>

// combine(a, b): a is on the left
__host__ __device__ unsigned neutral(int op)
{
	if (op == kAnd)
		return ~0u;
	if (op == kMin)
		return 0x7fffffff;
	return op == kAll;
}

__device__ unsigned apply(unsigned a, unsigned b, int op)
{
	if (op == kAnd || op == kAll)
		return a & b;
	if (op == kOr || op == kAny)
		return a | b;
	if (op == kXor)
		return a ^ b;
	if (op == kMin)
		return min((int)a, (int)b);
	return b ? b : a;
}

// a single block, each thread takes a contiguous piece
__global__ void reduce(const unsigned *values, unsigned *result, int n, int op)
{
	__shared__ unsigned s[1024];
	const int per_thread = (n + 1023) / 1024;
	const int t = threadIdx.x;
	unsigned x = neutral(op);
	for (int i = t * per_thread; i < min(n, (t + 1) * per_thread); ++i) {
		unsigned v = values[i];
		if (op == kAll || op == kAny)
			v = v != 0;
		x = apply(x, v, op);
	}
	s[t] = x;
	__syncthreads();
	for (int d = 1; d < 1024; d *= 2) {
		if (t % (2 * d) == 0)
			s[t] = apply(s[t], s[t + d], op);
		__syncthreads();
	}
	if (t == 0)
		*result = s[0];
}

void operators(const unsigned *values, unsigned *result, int n, int op)
{
	reduce<<<1, 1024>>>(values, result, n, op);
	if (cudaGetLastError() != cudaSuccess)
		return;
}
