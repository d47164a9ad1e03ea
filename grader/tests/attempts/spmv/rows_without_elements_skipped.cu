#include "spmv.h"

#include <cuda_runtime.h>

__global__ void csr(const int *__restrict__ start, const int *__restrict__ col, const float *__restrict__ val,
		    const float *__restrict__ x, float *__restrict__ y, int rows)
{
	/* one warp per row */
	const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
	const int lane = threadIdx.x & 31;
	if (row >= rows)
		return;
	const int begin = start[row], end = start[row + 1];
	if (begin == end)
		return;		/* nothing to add */
	float sum = 0.f;
	for (int k = begin + lane; k < end; k += 32)
		sum += val[k] * x[col[k]];
	for (int d = 16; d; d >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (lane == 0)
		y[row] = sum;
}

void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows,
	  int nonzeros)
{
	if (rows == 0)
		return;
	csr<<<(rows + 3) / 4, 128>>>(row_starts, columns, values, x, y, rows);
}
