#include "transpose.h"

#include <cuda_runtime.h>

// A block of kTile x kTile threads moves a tile of kTile x kTile elements.
constexpr int kTile = 16;

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
  // TODO 1: which element does this thread read? x should run along the rows of `in`, so that
  // neighbouring threads (threadIdx.x) read neighbouring addresses. Which threads have no element?

  // TODO 2: begin without a tile: store the element where it belongs, and pass the small cases.

  // TODO 3: then let neighbouring threads write neighbouring addresses, too. A tile in shared
  // memory is filled row by row and read column by column. Which element does this thread write
  // then, where is it in the tile, and where in `out`? Where do the threads have to wait for each
  // other?

  // TODO 4: which banks of shared memory does a warp access when it reads a column?
}

void transpose(const float* in, float* out, int rows, int columns) {
  // in and out are in device memory already: nothing has to be copied to the host or back.

  // TODO 5: how many blocks cover `columns` columns and `rows` rows? What if one of them is 0?
  const dim3 block(kTile, kTile);
  const dim3 grid(1, 1);
  transpose_tiles<<<grid, block>>>(in, out, rows, columns);

  // TODO 6: was the launch accepted? cudaGetLastError() tells.
}
