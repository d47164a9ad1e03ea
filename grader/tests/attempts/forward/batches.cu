#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ helpers */

#define DIE(...) do { fprintf(stderr, __VA_ARGS__); exit(1); } while (0)
#define CU(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) DIE("%s: %s\n", #x, cudaGetErrorString(e_)); } while (0)
#define LAUNCHED() CU(cudaGetLastError())
#define GRID(n) (((n) + 127) / 128), 128

typedef struct {
    int batch, ch, H, W, m1, k1, m2, k2, hidden, classes;
    int H1, W1, H2, W2;
} Net;

static int usage(void)
{
    printf("usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES\n");
    return 2;
}

static float *readFile(const char *name, size_t n)
{
    float *p = (float *)malloc(n * sizeof(float));
    FILE *f = fopen(name, "rb");
    if (!p || !f || fread(p, sizeof(float), n, f) != n) DIE("cannot read %s\n", name);
    fclose(f);
    return p;
}

static float *toDevice(const char *name, size_t n)
{
    float *h = readFile(name, n), *d;
    CU(cudaMalloc((void **)&d, n * sizeof(float)));
    CU(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
    free(h);
    return d;
}

static float *deviceArray(size_t n)
{
    float *d;
    CU(cudaMalloc((void **)&d, n * sizeof(float)));
    return d;
}

/* ------------------------------------------------------------------ kernels */

__global__ void convKernel(const float *x, const float *w, float *y, int n,
                           int ch, int H, int W, int maps, int K)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    int OW = W - K + 1, OH = H - K + 1;
    int c = id % OW, r = id / OW % OH, m = id / OW / OH % maps, b = id / OW / OH / maps;
    float s = 0;
    for (int k = 0; k < ch; k++)
        for (int p = 0; p < K; p++)
            for (int q = 0; q < K; q++)
                s += w[((m * ch + k) * K + p) * K + q] * x[((b * ch + k) * H + r + p) * W + c + q];
    y[id] = s;
}

/* windows of 2 x 2, bias, sigmoid */
__global__ void poolKernel(const float *y, const float *bias, float *out, int n,
                           int maps, int H, int W)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    int w = W / 2, h = H / 2;
    int c = id % w, r = id / w % h, plane = id / w / h;
    const float *p = y + (plane * H + 2 * r) * W + 2 * c;
    float mean = (p[0] + p[1] + p[W] + p[W + 1]) / 4;
    out[id] = 1 / (1 + expf(-mean - bias[plane % maps]));
}

__global__ void fcKernel(const float *x, const float *w, const float *bias, float *out, int n,
                         int in, int outs, int relu)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    int j = id % outs, b = id / outs;
    float s = 0;
    for (int i = 0; i < in; i++) s += w[j * in + i] * x[b * in + i];
    s += bias[j];
    out[id] = relu && s < 0 ? 0 : s;
}

__global__ void softmaxKernel(float *z, int batch, int classes)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    float *row = z + b * classes, m = row[0], s = 0;
    for (int c = 1; c < classes; c++) m = fmaxf(m, row[c]);
    for (int c = 0; c < classes; c++) s += (row[c] = expf(row[c] - m));
    for (int c = 0; c < classes; c++) row[c] /= s;
}

/* --------------------------------------------------------------------- main */

int main(int argc, char **argv)
{
    if (argc != 11) return usage();
    int a[10];
    for (int i = 0; i < 10; i++) {
        a[i] = atoi(argv[i + 1]);
        if (a[i] < (i > 0)) return usage();
    }
    Net n = { a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9] };
    if (n.k1 > n.H || n.k1 > n.W) return usage();
    n.H1 = (n.H - n.k1 + 1) / 2;          /* after pooling */
    n.W1 = (n.W - n.k1 + 1) / 2;
    if (n.k2 > n.H1 || n.k2 > n.W1) return usage();
    n.H2 = (n.H1 - n.k2 + 1) / 2;
    n.W2 = (n.W1 - n.k2 + 1) / 2;

    float *prob = (float *)malloc((size_t)n.batch * n.classes * sizeof(float) + 1);

    if (n.batch > 0) {
        int in = n.m2 * n.H2 * n.W2;
        float *x  = toDevice("images.bin", (size_t)n.batch * n.ch * n.H * n.W);
        float *w1 = toDevice("conv1.bin", (size_t)n.m1 * n.ch * n.k1 * n.k1);
        float *b1 = toDevice("conv1_bias.bin", n.m1);
        float *w2 = toDevice("conv2.bin", (size_t)n.m2 * n.m1 * n.k2 * n.k2);
        float *b2 = toDevice("conv2_bias.bin", n.m2);
        float *w3 = toDevice("full1.bin", (size_t)n.hidden * in);
        float *b3 = toDevice("full1_bias.bin", n.hidden);
        float *w4 = toDevice("full2.bin", (size_t)n.classes * n.hidden);
        float *b4 = toDevice("full2_bias.bin", n.classes);

        int c1 = n.batch * n.m1 * (n.H - n.k1 + 1) * (n.W - n.k1 + 1);
        int p1 = n.batch * n.m1 * n.H1 * n.W1;
        int c2 = n.batch * n.m2 * (n.H1 - n.k2 + 1) * (n.W1 - n.k2 + 1);
        int p2 = n.batch * in;
        int nh = n.batch * n.hidden, nz = n.batch * n.classes;
        float *y1 = deviceArray(c1), *x1 = deviceArray(p1), *y2 = deviceArray(c2);
        float *x2 = deviceArray(p2), *h = deviceArray(nh), *z = deviceArray(nz);

        convKernel<<<GRID(c1)>>>(x, w1, y1, c1, n.ch, n.H, n.W, n.m1, n.k1);
        LAUNCHED();
        poolKernel<<<GRID(p1)>>>(y1, b1, x1, p1, n.m1, n.H - n.k1 + 1, n.W - n.k1 + 1);
        LAUNCHED();
        convKernel<<<GRID(c2)>>>(x1, w2, y2, c2, n.m1, n.H1, n.W1, n.m2, n.k2);
        LAUNCHED();
        poolKernel<<<GRID(p2)>>>(y2, b2, x2, p2, n.m2, n.H1 - n.k2 + 1, n.W1 - n.k2 + 1);
        LAUNCHED();
        fcKernel<<<GRID(nh)>>>(x2, w3, b3, h, nh, in, n.hidden, 1);
        LAUNCHED();
        fcKernel<<<GRID(nz)>>>(h, w4, b4, z, nz, n.hidden, n.classes, 0);
        LAUNCHED();
        softmaxKernel<<<GRID(n.batch)>>>(z, n.batch, n.classes);
        LAUNCHED();
        CU(cudaMemcpy(prob, z, nz * sizeof(float), cudaMemcpyDeviceToHost));

        float *all[] = { x, w1, b1, w2, b2, w3, b3, w4, b4, y1, x1, y2, x2, h, z };
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) CU(cudaFree(all[i]));
    }

    FILE *bin = fopen("probabilities.bin", "wb"), *txt = fopen("classes.txt", "w");
    if (!bin || !txt) DIE("cannot write\n");
    fwrite(prob, sizeof(float), (size_t)n.batch * n.classes, bin);
    for (int b = 0; b < n.batch; b++) {
        int best = 0;
        for (int c = 0; c < n.classes; c++)
            if (prob[b * n.classes + c] > prob[b * n.classes + best]) best = c;
        fprintf(txt, "%d\n", best);
    }
    fclose(bin);
    fclose(txt);
    free(prob);
    return 0;
}
