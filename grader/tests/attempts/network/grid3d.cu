#include "network.h"

#include <cuda_runtime.h>

// x: the results of a map, y: the maps, z: the images of the batch. No divisions are needed for
// the map and the image then.
struct Layer {
  int channels, height, width, maps, mask;
  __host__ __device__ int rows() const { return height - mask + 1; }
  __host__ __device__ int columns() const { return width - mask + 1; }
  __host__ __device__ int pooled_rows() const { return (rows() + 1) / 2; }
  __host__ __device__ int pooled_columns() const { return (columns() + 1) / 2; }
};

__global__ void forward(const float* images, const float* weights, const float* bias, float* out,
                        Layer l) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  const int results = l.pooled_rows() * l.pooled_columns();
  if (place >= results) return;
  const int map = blockIdx.y, image = blockIdx.z;
  const int row = 2 * (place / l.pooled_columns());
  const int column = 2 * (place % l.pooled_columns());
  const bool below = row + 1 < l.rows(), right = column + 1 < l.columns();

  float a = 0, b = 0, c = 0, d = 0;  // the four values of the window
  for (int k = 0; k < l.channels; ++k) {
    const float* pixels = images + (static_cast<size_t>(image) * l.channels + k) * l.height * l.width;
    const float* mask = weights + (static_cast<size_t>(map) * l.channels + k) * l.mask * l.mask;
    for (int p = 0; p < l.mask; ++p) {
      for (int q = 0; q < l.mask; ++q) {
        const float w = mask[p * l.mask + q];
        const float* at = pixels + (row + p) * l.width + column + q;
        a += w * at[0];
        if (right) b += w * at[1];
        if (below) c += w * at[l.width];
        if (below && right) d += w * at[l.width + 1];
      }
    }
  }
  const float mean = (a + b + c + d) / ((below ? 2 : 1) * (right ? 2 : 1));
  out[(static_cast<size_t>(image) * l.maps + map) * results + place] =
      1.0f / (1.0f + expf(-(mean + bias[map])));
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const Layer layer{channels, height, width, maps, mask};
  const int results = layer.pooled_rows() * layer.pooled_columns();
  const int threads = results < 128 ? 32 * ((results + 31) / 32) : 128;
  const dim3 grid((results + threads - 1) / threads, maps, batch);
  forward<<<grid, threads>>>(images, weights, bias, out, layer);
}
