#include "transpose.h"

#include <cuda_runtime.h>

#define N 32

__global__ void transpose_kernel(const float *in, float *out, int rows, int columns)
{
	__shared__ float tile[N][N + 1];
	const int x = threadIdx.x, y = threadIdx.y;
	const int column = blockIdx.x * N + x, row = blockIdx.y * N + y;
	const bool exists = row < rows && column < columns;

	if (exists)
		tile[y][x] = in[(size_t)row * columns + column];
	__syncthreads();

	const int to_row = blockIdx.x * N + y, to_column = blockIdx.y * N + x;
	if (exists)
		out[(size_t)to_row * rows + to_column] = tile[x][y];
}

void transpose(const float *in, float *out, int rows, int columns)
{
	if (rows == 0 || columns == 0)
		return;
	const dim3 grid((columns + N - 1) / N, (rows + N - 1) / N);
	transpose_kernel<<<grid, dim3(N, N)>>>(in, out, rows, columns);
}
