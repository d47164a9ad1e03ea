#include "emulator/tests/differential/kernel.h"

// How arguments reach a kernel: every scalar type, structs with padding, arrays in structs, large
// structs read at a dynamic index.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;

/// Runs `launch(out)` and compares `lanes` results with what `model(lane)` says.
template <class R, class Launch, class Model>
void add_launch(Suite& suite, const char* name, std::size_t lanes, Launch launch, Model model) {
  suite.add(name, [=] {
    testing::Buffer<R> out(lanes);
    out.fill_bytes(0);
    launch(out.get());
    FINISH_LAUNCH();
    std::vector<R> want(lanes);
    for (std::size_t i = 0; i < lanes; ++i) want[i] = model(U(i));
    require_agreement(out.download(), want);
  });
}

__global__ void all_scalars(double* out, bool a, char b, signed char c, unsigned char d, short e,
                            unsigned short f, int g, unsigned h, long i, unsigned long j,
                            long long k, unsigned long long l, float m, double n) {
  const double values[14] = {double(a), double(b), double(c), double(d), double(e),
                             double(f), double(g), double(h), double(i), double(j),
                             double(k), double(l), double(m), n};
  out[threadIdx.x] = values[threadIdx.x % 14];
}

struct Padded {
  char tag;
  double weight;
  short count;
};

__global__ void padded_by_value(double* out, Padded p, char after) {
  out[threadIdx.x] = p.tag + p.weight * threadIdx.x - p.count + after;
}

struct Three {
  unsigned char r, g, b;
};

__global__ void three_bytes(U* out, Three a, Three b) {
  out[threadIdx.x] = a.r + b.r * 256u + a.g * b.g + (a.b ^ b.b) * threadIdx.x;
}

struct Matrix {
  float values[4][4];
};

__global__ void matrix_by_value(float* out, Matrix m) {
  const unsigned i = threadIdx.x;
  out[i] = m.values[i % 4][i / 4 % 4] + m.values[1][2];
}

struct Large {
  S head;
  S values[500];
  double tail;
};

__global__ void large_by_value(double* out, Large large, U stride) {
  const U i = threadIdx.x;
  out[i] = large.values[(i * stride) % 500] + large.head + large.tail;
}

struct View {
  const S* data;
  int length;
  __device__ S at(int i) const { return i < length ? data[i] : -1; }
};

__global__ void pointer_in_struct(S* out, View view) {
  out[threadIdx.x] = view.at(int(threadIdx.x) * 2);
}

__global__ void modified_parameter(S* out, Matrix m, S n) {
  // Writing to a parameter changes this thread's copy alone.
  m.values[threadIdx.x % 4][0] = 100;
  n += S(threadIdx.x);
  out[threadIdx.x] = S(m.values[0][0] + m.values[1][0]) + n;
}

struct alignas(16) Aligned {
  float4 v;
  char c;
};

__global__ void aligned_struct(float* out, char before, Aligned a, char after) {
  out[threadIdx.x] = a.v.x + a.v.y + a.v.z + a.v.w + a.c + before * 100 + after * 1000;
}

struct Empty {
  __host__ __device__ U twice(U x) const { return 2 * x; }
};

__global__ void empty_struct(U* out, Empty e, U x) {
  out[threadIdx.x] = e.twice(x + threadIdx.x);
}

template <class F>
__global__ void call_functor(S* out, F f) {
  out[threadIdx.x] = f(S(threadIdx.x));
}

struct AffineMap {
  S scale, offset;
  __host__ __device__ S operator()(S x) const { return scale * x + offset; }
};

template <class T, int N, bool Reverse>
__global__ void constants_as_template_arguments(T* out) {
  const int i = int(threadIdx.x);
  out[Reverse ? N - 1 - i : i] = T(i * N);
}

__global__ void pointer_to_pointer(S* out, const S* const* rows, int columns) {
  out[blockIdx.x * columns + threadIdx.x] = rows[blockIdx.x][threadIdx.x] + 1;
}

}  // namespace

void register_cases(Suite& suite) {
  add_launch<double>(
      suite, "every scalar type by value", 32,
      [](double* out) {
        all_scalars<<<1, 32>>>(out, true, 'x', -5, 250, -30000, 60000, -2000000000, 4000000000u,
                               -5000000000L, 6000000000uL, -7000000000000LL, 8000000000000uLL, 1.5f,
                               -2.25);
      },
      [](U i) {
        const double values[14] = {1,   'x',  -5,  250,   -30000, 60000, -2e9,
                                   4e9, -5e9, 6e9, -7e12, 8e12,   1.5,   -2.25};
        return values[i % 14];
      });
  add_launch<double>(
      suite, "struct with padding by value", 40,
      [](double* out) {
        padded_by_value<<<1, 40>>>(out, {-7, 1.25, 900}, 3);
      },
      [](U i) { return -7 + 1.25 * i - 900 + 3; });
  add_launch<U>(
      suite, "structs of three bytes", 32,
      [](U* out) {
        three_bytes<<<1, 32>>>(out, {10, 20, 30}, {200, 210, 220});
      },
      [](U i) { return 10 + 200 * 256u + 20 * 210 + (30u ^ 220u) * i; });
  const auto matrix = [] {
    Matrix m;
    for (int i = 0; i < 16; ++i) m.values[i / 4][i % 4] = float(i * i);
    return m;
  };
  add_launch<float>(
      suite, "matrix by value", 16, [=](float* out) { matrix_by_value<<<1, 16>>>(out, matrix()); },
      [=](U i) { return matrix().values[i % 4][i / 4 % 4] + matrix().values[1][2]; });
  const auto large = [] {
    Large l{.head = 5, .tail = 0.5};
    for (int i = 0; i < 500; ++i) l.values[i] = i * 3 - 700;
    return l;
  };
  add_launch<double>(
      suite, "two thousand bytes by value", 64,
      [=](double* out) { large_by_value<<<1, 64>>>(out, large(), 37); },
      [](U i) { return double(S(i * 37 % 500) * 3 - 700) + 5 + 0.5; });
  suite.add("pointer in a struct", [] {
    std::vector<S> values(50), want(40);
    for (int i = 0; i < 50; ++i) values[std::size_t(i)] = i * i;
    for (int i = 0; i < 40; ++i) want[std::size_t(i)] = 2 * i < 50 ? 4 * i * i : -1;
    const testing::Buffer<S> data(values);
    testing::Buffer<S> out(40);
    pointer_in_struct<<<1, 40>>>(out.get(), {data.get(), 50});
    FINISH_LAUNCH();
    require_agreement(out.download(), want);
  });
  add_launch<S>(
      suite, "parameter that the kernel changes", 32,
      [=](S* out) { modified_parameter<<<1, 32>>>(out, matrix(), 9); },
      [=](U i) {
        const S first = i % 4 == 0 ? 100 : 0, second = i % 4 == 1 ? 100 : 16;
        return first + second + 9 + S(i);
      });
  add_launch<float>(
      suite, "aligned struct between bytes", 8,
      [](float* out) {
        Aligned a;
        a.v = make_float4(1, 2, 3, 4);
        a.c = 7;
        aligned_struct<<<1, 8>>>(out, 2, a, 3);
      },
      [](U) { return 17.0f + 200 + 3000; });
  add_launch<U>(
      suite, "empty struct by value", 32, [](U* out) { empty_struct<<<1, 32>>>(out, {}, 5); },
      [](U i) { return 2 * (5 + i); });
  add_launch<S>(
      suite, "functor by value", 32,
      [](S* out) {
        call_functor<<<1, 32>>>(out, AffineMap{-3, 1000});
      },
      [](U i) { return -3 * S(i) + 1000; });
  add_launch<float>(
      suite, "template arguments", 24,
      [](float* out) { constants_as_template_arguments<float, 24, true><<<1, 24>>>(out); },
      [](U i) { return float((23 - i) * 24); });
  suite.add("pointer to pointers", [] {
    std::vector<S> values(60), want(60);
    for (int i = 0; i < 60; ++i) values[std::size_t(i)] = i, want[std::size_t(i)] = i + 1;
    const testing::Buffer<S> data(values);
    const testing::Buffer<const S*> rows({data.get(), data.get() + 20, data.get() + 40});
    testing::Buffer<S> out(60);
    pointer_to_pointer<<<3, 20>>>(out.get(), rows.get(), 20);
    FINISH_LAUNCH();
    require_agreement(out.download(), want);
  });
  suite.add("cudaLaunchKernel with an array of arguments", [] {
    testing::Buffer<double> out(32);
    double* pointer = out.get();
    Padded p = {4, 2.5, 10};
    char after = 6;
    void* arguments[] = {&pointer, &p, &after};
    CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(padded_by_value), dim3(1), dim3(32),
                                arguments, 0, nullptr));
    FINISH_LAUNCH();
    std::vector<double> want(32);
    for (int i = 0; i < 32; ++i) want[std::size_t(i)] = 4 + 2.5 * i - 10 + 6;
    require_agreement(out.download(), want);
  });
}

}  // namespace differential
