#include "network.h"
#include <cuda_runtime.h>

// One thread per result: it computes the (up to) four values of its window one after the other,
// so nothing before pooling has to be stored.

__device__ float activate(float v) { return 1.0f / (1.0f + expf(-v)); }

__device__ float value_at(const float* image, const float* w, int channels, int height, int width,
                          int mask, int r, int c)
{
    float s = 0.0f;
    for (int k = 0; k < channels; ++k, image += height * width)
        for (int p = 0; p < mask; ++p)
            for (int q = 0; q < mask; ++q)
                s += *w++ * image[(r + p) * width + c + q];
    return s;
}

__global__ void layer(const float* images, const float* weights, const float* bias, float* out,
                      int results, int channels, int height, int width, int maps, int mask)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= results) return;

    int H = height - mask + 1, W = width - mask + 1;
    int ow = (W + 1) / 2, oh = (H + 1) / 2;
    int j = id % ow;
    int i = id / ow % oh;
    int m = id / (ow * oh) % maps;
    int b = id / (ow * oh * maps);

    const float* image = images + (size_t)b * channels * height * width;
    const float* w = weights + (size_t)m * channels * mask * mask;

    float sum = 0.0f;
    int many = 0;
    for (int r = 2 * i; r < min(2 * i + 2, H); ++r)
        for (int c = 2 * j; c < min(2 * j + 2, W); ++c) {
            float y = value_at(image, w, channels, height, width, mask, r, c);
            sum += activate(y + bias[m]);
            ++many;
        }
    out[id] = sum / many;
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask)
{
    if (batch <= 0) return;
    int oh = (height - mask + 2) / 2, ow = (width - mask + 2) / 2;
    int results = batch * maps * oh * ow;
    layer<<<(results + 127) / 128, 128>>>(images, weights, bias, out, results, channels, height,
                                          width, maps, mask);
    if (cudaGetLastError() != cudaSuccess) return;
}
