#include "transpose.h"
#include <cuda_runtime.h>
#include <stdio.h>

#define DIM 32

__global__ void k_transpose(const float *A, float *At, int R, int C)
{
	__shared__ float s[DIM][DIM + 1];

	int ci = blockIdx.x * DIM + threadIdx.x;
	int ri = blockIdx.y * DIM + threadIdx.y;
	bool inside = ri < R && ci < C;

	if (inside)
		s[threadIdx.y][threadIdx.x] = A[(size_t)ri * C + ci];

	__syncthreads(); /* all threads, not only the ones inside */

	/* position of my element in the transposed matrix: block indices exchanged */
	int co = blockIdx.y * DIM + threadIdx.x;
	int ro = blockIdx.x * DIM + threadIdx.y;
	if (inside)
		At[(size_t)ro * R + co] = s[threadIdx.x][threadIdx.y];
}

void transpose(const float *in, float *out, int rows, int columns)
{
	if (rows <= 0 || columns <= 0)
		return;
	dim3 b(DIM, DIM), g((columns + DIM - 1) / DIM, (rows + DIM - 1) / DIM);
	k_transpose<<<g, b>>>(in, out, rows, columns);
	cudaError_t rc = cudaGetLastError();
	if (rc != cudaSuccess)
		fprintf(stderr, "k_transpose: %s\n", cudaGetErrorString(rc));
}
