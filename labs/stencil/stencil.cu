#include "stencil.h"

#include <cuda_runtime.h>

__global__ void update_cells(const float* in, float* out, int nx, int ny, int nz) {
  // TODO 1: which cell is this thread's? x should run along threadIdx.x, so that neighbouring
  // threads load neighbouring floats. Which threads have no cell?

  // TODO 2: how far apart in the array are a cell and its neighbours in x, in y and in z?

  // TODO 3: inner cells get the weighted sum, and the cells of the border?
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  // in and out are in device memory already: nothing has to be copied to the host or back.

  // TODO 4: how many blocks cover nx, ny and nz cells? What if one of them is 0? Launch the kernel,
  // and check the launch.

  // TODO 5: once all cases pass, let each thread walk along z and keep what it has loaded: the cell
  // above is the centre of the next step, and the centre the cell below. README.md has the steps.
}
