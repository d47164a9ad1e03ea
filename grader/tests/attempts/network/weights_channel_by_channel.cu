#include <cuda_runtime.h>

#include "network.h"

// Each thread makes one value of out.
__global__ void layer(const float* images, const float* weights, const float* bias,
                      float* out, int batch, int channels, int height, int width,
                      int maps, int mask) {
    const int H = height - mask + 1, W = width - mask + 1;
    const int oh = (H + 1) / 2, ow = (W + 1) / 2;
    const long long id = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (id >= (long long)batch * maps * oh * ow) return;
    const int j = id % ow;
    const int i = id / ow % oh;
    const int m = id / (ow * oh) % maps;
    const int b = id / ((long long)ow * oh * maps);

    float acc = 0.0f;
    int values = 0;
    for (int r = 2 * i; r < 2 * i + 2 && r < H; ++r) {
        for (int c = 2 * j; c < 2 * j + 2 && c < W; ++c) {
            float y = 0.0f;
            for (int k = 0; k < channels; ++k) {
                const float* pixels =
                    images + (((size_t)b * channels + k) * height + r) * width + c;
                const float* w = weights + ((size_t)k * maps + m) * mask * mask;
                for (int p = 0; p < mask; ++p)
                    for (int q = 0; q < mask; ++q)
                        y += w[p * mask + q] * pixels[p * width + q];
            }
            acc += y;
            ++values;
        }
    }
    float mean = acc / values;
    mean += bias[m];
    out[id] = 1.0f / (1.0f + expf(-mean));
}

void network_layer(const float* images, const float* weights, const float* bias,
                   float* out, int batch, int channels, int height, int width, int maps,
                   int mask) {
    if (batch == 0) return;
    const int H = height - mask + 1, W = width - mask + 1;
    const long long results = (long long)batch * maps * ((H + 1) / 2) * ((W + 1) / 2);
    layer<<<(unsigned)((results + 127) / 128), 128>>>(
        images, weights, bias, out, batch, channels, height, width, maps, mask);
    if (cudaGetLastError() != cudaSuccess) return;
}
