#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                                                          \
    do                                                                                                       \
    {                                                                                                        \
        cudaError_t error = (call);                                                                          \
        if (error != cudaSuccess)                                                                            \
        {                                                                                                    \
            std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));                                   \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

struct Sizes
{
    int batch, channels, height, width, maps1, mask1, maps2, mask2, hidden, classes;
};

static void usage()
{
    std::printf("usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES\n");
    std::exit(2);
}

static int pooled(int pixels, int mask)
{
    return (pixels - mask + 2) / 2;
}

static Sizes read_sizes(int argc, char **argv)
{
    if (argc != 11)
        usage();
    int v[10];
    for (int i = 0; i < 10; ++i)
    {
        v[i] = std::atoi(argv[i + 1]);
        if (v[i] < (i == 0 ? 0 : 1))
            usage();
    }
    Sizes s = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]};
    if (s.mask1 > s.height || s.mask1 > s.width)
        usage();
    if (s.mask2 > pooled(s.height, s.mask1) || s.mask2 > pooled(s.width, s.mask1))
        usage();
    return s;
}

static float *load(const char *name, size_t count)
{
    std::vector<float> host(count);
    std::FILE *file = std::fopen(name, "rb");
    if (!file || std::fread(host.data(), sizeof(float), count, file) != count)
    {
        std::fprintf(stderr, "%s: cannot read %zu floats\n", name, count);
        std::exit(1);
    }
    std::fclose(file);
    float *device = nullptr;
    CHECK(cudaMalloc(&device, count * sizeof(float)));
    CHECK(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

__device__ float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

// convolution, mean of 2 x 2, bias and sigmoid. One thread per result.
__global__ void conv_layer(const float *in, const float *weights, const float *bias, float *out, int batch,
                           int channels, int height, int width, int maps, int mask)
{
    const int H = height - mask + 1, W = width - mask + 1;
    const int h2 = (H + 1) / 2, w2 = (W + 1) / 2;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * maps * h2 * w2)
        return;
    // results of one position next to each other
    const int map = i % maps, col = i / maps % w2;
    const int row = i / (maps * w2) % h2, image = i / (w2 * h2 * maps);
    float sum = 0;
    int count = 0;
    for (int y = 2 * row; y < min(2 * row + 2, H); ++y)
    {
        for (int x = 2 * col; x < min(2 * col + 2, W); ++x)
        {
            float value = 0;
            for (int k = 0; k < channels; ++k)
                for (int p = 0; p < mask; ++p)
                    for (int q = 0; q < mask; ++q)
                        value += weights[((map * channels + k) * mask + p) * mask + q] *
                                 in[((static_cast<size_t>(image) * channels + k) * height + y + p) * width +
                                    x + q];
            sum += value;
            ++count;
        }
    }
    const float mean = sum / count;
    out[i] = sigmoid(mean + bias[map]);
}

// One thread per value.
__global__ void fully_connected(const float *in, const float *weights, const float *bias, float *out,
                                int batch, int inputs, int outputs, bool relu)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * outputs)
        return;
    const int image = i / outputs, j = i % outputs;
    float sum = bias[j];
    for (int l = 0; l < inputs; ++l)
        sum += weights[static_cast<size_t>(j) * inputs + l] * in[static_cast<size_t>(image) * inputs + l];
    out[i] = relu ? fmaxf(sum, 0.0f) : sum;
}

// One thread per image.
__global__ void softmax_kernel(float *z, int batch, int classes)
{
    const int image = blockIdx.x * blockDim.x + threadIdx.x;
    if (image >= batch)
        return;
    float *row = z + static_cast<size_t>(image) * classes;
    float largest = row[0];
    for (int c = 1; c < classes; ++c)
        largest = fmaxf(largest, row[c]);
    float sum = 0;
    for (int c = 0; c < classes; ++c)
    {
        row[c] = expf(row[c] - largest);
        sum += row[c];
    }
    for (int c = 0; c < classes; ++c)
        row[c] /= sum;
}

static void write_results(const float *probabilities, int batch, int classes)
{
    std::FILE *binary = std::fopen("probabilities.bin", "wb");
    std::FILE *text = std::fopen("classes.txt", "w");
    if (!binary || !text)
    {
        std::fprintf(stderr, "cannot write the results\n");
        std::exit(1);
    }
    std::fwrite(probabilities, sizeof(float), static_cast<size_t>(batch) * classes, binary);
    for (int b = 0; b < batch; ++b)
    {
        const float *row = probabilities + static_cast<size_t>(b) * classes;
        int best = 0;
        for (int c = 1; c < classes; ++c)
            if (row[c] > row[best])
                best = c;
        std::fprintf(text, "%d\n", best);
    }
    std::fclose(binary);
    std::fclose(text);
}

static int blocks(size_t threads)
{
    return static_cast<int>((threads + 127) / 128);
}

int main(int argc, char **argv)
{
    const Sizes s = read_sizes(argc, argv);
    if (s.batch == 0)
    {
        write_results(nullptr, 0, s.classes);
        return 0;
    }
    const int h1 = pooled(s.height, s.mask1), w1 = pooled(s.width, s.mask1);
    const int h2 = pooled(h1, s.mask2), w2 = pooled(w1, s.mask2);
    const size_t features = static_cast<size_t>(s.maps2) * h2 * w2;

    float *images = load("images.bin", static_cast<size_t>(s.batch) * s.channels * s.height * s.width);
    float *conv1 = load("conv1.bin", static_cast<size_t>(s.maps1) * s.channels * s.mask1 * s.mask1);
    float *bias1 = load("conv1_bias.bin", s.maps1);
    float *conv2 = load("conv2.bin", static_cast<size_t>(s.maps2) * s.maps1 * s.mask2 * s.mask2);
    float *bias2 = load("conv2_bias.bin", s.maps2);
    float *full1 = load("full1.bin", s.hidden * features);
    float *fullbias1 = load("full1_bias.bin", s.hidden);
    float *full2 = load("full2.bin", static_cast<size_t>(s.classes) * s.hidden);
    float *fullbias2 = load("full2_bias.bin", s.classes);

    const size_t first = static_cast<size_t>(s.batch) * s.maps1 * h1 * w1;
    float *a, *b, *h, *z;
    CHECK(cudaMalloc(&a, first * sizeof(float)));
    CHECK(cudaMalloc(&b, s.batch * features * sizeof(float)));
    CHECK(cudaMalloc(&h, static_cast<size_t>(s.batch) * s.hidden * sizeof(float)));
    CHECK(cudaMalloc(&z, static_cast<size_t>(s.batch) * s.classes * sizeof(float)));
    float *p;
    const size_t results = static_cast<size_t>(s.batch) * s.classes;
    CHECK(cudaMallocHost(&p, results * sizeof(float)));

    conv_layer<<<blocks(first), 128>>>(images, conv1, bias1, a, s.batch, s.channels, s.height, s.width,
                                       s.maps1, s.mask1);
    CHECK(cudaGetLastError());
    conv_layer<<<blocks(s.batch * features), 128>>>(a, conv2, bias2, b, s.batch, s.maps1, h1, w1, s.maps2,
                                                    s.mask2);
    CHECK(cudaGetLastError());
    fully_connected<<<blocks(static_cast<size_t>(s.batch) * s.hidden), 128>>>(
        b, full1, fullbias1, h, s.batch, static_cast<int>(features), s.hidden, true);
    CHECK(cudaGetLastError());
    fully_connected<<<blocks(results), 128>>>(h, full2, fullbias2, z, s.batch, s.hidden, s.classes, false);
    CHECK(cudaGetLastError());
    softmax_kernel<<<blocks(s.batch), 128>>>(z, s.batch, s.classes);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpyAsync(p, z, results * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    write_results(p, s.batch, s.classes);

    for (float *memory : {images, conv1, bias1, conv2, bias2, full1, fullbias1, full2, fullbias2, a, b, h, z})
        CHECK(cudaFree(memory));
    CHECK(cudaFreeHost(p));
    return 0;
}
