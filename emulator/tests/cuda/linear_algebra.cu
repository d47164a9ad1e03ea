#include <cuComplex.h>

#include <algorithm>
#include <complex>
#include <numeric>

#include "emulator/tests/support/program.h"

// Dense linear algebra as in a numerics course: LU with pivoting, Gauss-Jordan, Cholesky, conjugate
// gradients, matrix powers by squaring, and complex matrices.

namespace {

// -- LU with partial pivoting, one launch for each step from the host
// ---------------------------------

/// Finds the pivot of column `k` in one block and swaps its row up.
__global__ void pivot(float* a, int* order, int n, int k) {
  __shared__ float largest[128];
  __shared__ int place[128];
  const int t = int(threadIdx.x);
  float best = -1;
  int at = k;
  for (int row = k + t; row < n; row += int(blockDim.x)) {
    if (fabsf(a[row * n + k]) > best) best = fabsf(a[row * n + k]), at = row;
  }
  largest[t] = best, place[t] = at;
  __syncthreads();
  for (int half = int(blockDim.x) / 2; half > 0; half /= 2) {
    if (t < half && largest[t + half] > largest[t]) {
      largest[t] = largest[t + half], place[t] = place[t + half];
    }
    __syncthreads();
  }
  const int other = place[0];
  if (t == 0) order[k] = other;
  if (other == k) return;
  for (int column = t; column < n; column += int(blockDim.x)) {
    const float x = a[k * n + column];
    a[k * n + column] = a[other * n + column];
    a[other * n + column] = x;
  }
}

__global__ void scale_column(float* a, int n, int k) {
  const int row = k + 1 + int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row < n) a[row * n + k] /= a[k * n + k];
}

__global__ void eliminate(float* a, int n, int k) {
  const int column = k + 1 + int(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = k + 1 + int(blockIdx.y * blockDim.y + threadIdx.y);
  if (row < n && column < n) a[row * n + column] -= a[row * n + k] * a[k * n + column];
}

void lu(int n) {
  const auto size = std::size_t(n);
  const std::vector<float> matrix = testing::random_floats(size * size, 3);
  testing::Buffer<float> a(matrix);
  testing::Buffer<int> order(size);
  for (int k = 0; k < n; ++k) {
    pivot<<<1, 128>>>(a.get(), order.get(), n, k);
    const int left = n - k - 1;
    if (left == 0) break;
    scale_column<<<testing::blocks_for(std::size_t(left), 64), 64>>>(a.get(), n, k);
    const unsigned tiles = testing::blocks_for(std::size_t(left), 16);
    eliminate<<<dim3(tiles, tiles), dim3(16, 16)>>>(a.get(), n, k);
  }
  FINISH_LAUNCH();
  const std::vector<float> lu = a.download();
  const std::vector<int> swaps = order.download();
  std::vector<std::size_t> rows(size);
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  for (std::size_t k = 0; k < size; ++k) std::swap(rows[k], rows[std::size_t(swaps[k])]);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= std::min(i, j); ++k) {
        sum += (k == i ? 1.0 : double(lu[i * size + k])) * double(lu[k * size + j]);
      }
      EXPECT(std::fabs(sum - double(matrix[rows[i] * size + j])) < 1e-4);
      if (i > j) EXPECT(std::fabs(lu[i * size + j]) <= 1);  // what pivoting is for
    }
  }
}

// -- in one block: Gauss-Jordan's inverse and Cholesky in shared memory
// -------------------------------

template <int N>
__global__ void invert(const double* in, double* out) {
  __shared__ double a[N][2 * N];
  const int column = int(threadIdx.x), row = int(threadIdx.y);
  a[row][column] = column < N ? in[row * N + column] : double(column - N == row);
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    const double lead = a[k][k];
    __syncthreads();
    if (row == k) a[k][column] /= lead;
    __syncthreads();
    const double factor = a[row][k];
    __syncthreads();
    if (row != k) a[row][column] -= factor * a[k][column];
    __syncthreads();
  }
  if (column >= N) out[row * N + column - N] = a[row][column];
}

/// Left-looking, a column at a time; the triangle is stored packed.
template <int N>
__global__ void cholesky(const float* in, float* out) {
  extern __shared__ float packed[];
  const auto l = [&](int i, int j) -> float& { return packed[i * (i + 1) / 2 + j]; };
  const int t = int(threadIdx.x);
  for (int j = 0; j <= t; ++j) l(t, j) = in[t * N + j];
  __syncthreads();
  for (int j = 0; j < N; ++j) {
    if (t == j) l(j, j) = sqrtf(l(j, j));
    __syncthreads();
    if (t > j) l(t, j) /= l(j, j);
    __syncthreads();
    for (int k = j + 1; k <= t; ++k) l(t, k) -= l(t, j) * l(k, j);
    __syncthreads();
  }
  for (int j = 0; j < N; ++j) out[t * N + j] = j <= t ? l(t, j) : 0;
}

void in_one_block() {
  constexpr int kSize = 16;
  const std::vector<float> random = testing::random_floats(kSize * kSize, 5);
  std::vector<double> matrix(random.begin(), random.end());
  for (std::size_t i = 0; i < kSize; ++i) matrix[i * kSize + i] += 8;  // no pivots needed
  const testing::Buffer<double> in(matrix);
  testing::Buffer<double> inverse(matrix.size());
  invert<kSize><<<1, dim3(2 * kSize, kSize)>>>(in.get(), inverse.get());
  FINISH_LAUNCH();
  const std::vector<double> inverted = inverse.download();
  std::vector<float> positive(kSize * kSize);  // M M' + I
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < kSize; ++j) {
      double product = 0, square = i == j;
      for (std::size_t k = 0; k < kSize; ++k) {
        product += matrix[i * kSize + k] * inverted[k * kSize + j];
        square += double(random[i * kSize + k]) * double(random[j * kSize + k]);
      }
      EXPECT(std::fabs(product - double(i == j)) < 1e-12);
      positive[i * kSize + j] = float(square);
    }
  }
  const testing::Buffer<float> spd(positive);
  testing::Buffer<float> factor(positive.size());
  cholesky<kSize><<<1, kSize, kSize*(kSize + 1) / 2 * sizeof(float)>>>(spd.get(), factor.get());
  FINISH_LAUNCH();
  const std::vector<float> l = factor.download();
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k)
        sum += double(l[i * kSize + k]) * double(l[j * kSize + k]);
      EXPECT(std::fabs(sum - double(positive[i * kSize + j])) < 1e-4);
    }
  }
}

// -- conjugate gradients for the 2-D Poisson problem, scalars stay on the device
// ----------------------

__global__ void laplacian(const double* x, double* y, int side) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= side * side) return;
  const int row = i / side, column = i % side;
  double sum = 4 * x[i];
  if (row > 0) sum -= x[i - side];
  if (row < side - 1) sum -= x[i + side];
  if (column > 0) sum -= x[i - 1];
  if (column < side - 1) sum -= x[i + 1];
  y[i] = sum;
}

/// Adds the inner product to *sum: shuffles in a warp, one atomic a warp.
__global__ void inner(const double* x, const double* y, double* sum, int n) {
  double part = 0;
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    part += x[i] * y[i];
  }
  for (int by = 16; by > 0; by /= 2) part += __shfl_down_sync(~0u, part, by);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, part);
}

/// x += step p, r -= step A p with step = rr / pAp.
__global__ void advance(double* x, double* r, const double* p, const double* ap, const double* rr,
                        const double* pap, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double step = *rr / *pap;
  x[i] += step * p[i];
  r[i] -= step * ap[i];
}

__global__ void turn(double* p, const double* r, const double* rr, const double* old, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = r[i] + *rr / *old * p[i];
}

void conjugate_gradients() {
  constexpr int kSide = 12, kCount = kSide * kSide, kRounds = 110;
  std::vector<double> b(kCount);
  for (std::size_t i = 0; i < kCount; ++i) b[i] = std::sin(double(i));
  testing::Buffer<double> x(kCount), r(b), p(b), ap(kCount), scalars(2 * kRounds + 1);
  x.fill_bytes(0);
  scalars.fill_bytes(0);
  double* rr = scalars.get();
  inner<<<2, 128>>>(r.get(), r.get(), rr, kCount);
  for (int round = 0; round < kRounds; ++round, rr += 2) {
    laplacian<<<4, 128>>>(p.get(), ap.get(), kSide);
    inner<<<2, 128>>>(p.get(), ap.get(), rr + 1, kCount);
    advance<<<4, 128>>>(x.get(), r.get(), p.get(), ap.get(), rr, rr + 1, kCount);
    inner<<<2, 128>>>(r.get(), r.get(), rr + 2, kCount);
    turn<<<4, 128>>>(p.get(), r.get(), rr + 2, rr, kCount);
  }
  FINISH_LAUNCH();
  const std::vector<double> got = x.download();
  for (int i = 0; i < kCount; ++i) {
    const int row = i / kSide, column = i % kSide;
    const auto at = [&](int k) { return got[std::size_t(k)]; };
    const double sum = 4 * at(i) - (row > 0 ? at(i - kSide) : 0) -
                       (row < kSide - 1 ? at(i + kSide) : 0) - (column > 0 ? at(i - 1) : 0) -
                       (column < kSide - 1 ? at(i + 1) : 0);
    EXPECT(std::fabs(sum - b[std::size_t(i)]) < 1e-9);
  }
}

// -- powers and complex numbers
// -----------------------------------------------------------------------

/// Fibonacci's matrix to the n-th power, modulo a prime, by repeated squaring.
__global__ void fibonacci(const int* in, int* out) {
  constexpr long long kPrime = 1000000007;
  long long result[2][2] = {{1, 0}, {0, 1}}, base[2][2] = {{1, 1}, {1, 0}}, product[2][2];
  const auto times = [&](long long(&a)[2][2], const long long(&b)[2][2]) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) product[i][j] = (a[i][0] * b[0][j] + a[i][1] * b[1][j]) % kPrime;
    }
    memcpy(a, product, sizeof product);
  };
  for (int n = in [threadIdx.x]; n > 0; n /= 2) {
    if (n % 2 == 1) times(result, base);
    times(base, base);
  }
  out[threadIdx.x] = int(result[0][1]);
}

__global__ void complex_product(const cuDoubleComplex* a, const cuFloatComplex* b,
                                cuDoubleComplex* c, int n) {
  const int row = int(threadIdx.y), column = int(threadIdx.x);
  cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
  for (int k = 0; k < n; ++k) {
    const cuFloatComplex factor = cuConjf(b[k * n + column]);
    sum = cuCfma(a[row * n + k], cuComplexFloatToDouble(factor), sum);
  }
  c[row * n + column] = cuCdiv(sum, make_cuDoubleComplex(1 + cuCabs(sum), row));
}

void powers_and_complex() {
  std::vector<int> exponents = testing::random_integers(64, 1 << 30), want;
  for (int i = 0; i < 10; ++i) exponents[std::size_t(i)] = i;
  const testing::Buffer<int> in(exponents);
  testing::Buffer<int> out(64);
  fibonacci<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  for (const int n : exponents) {
    // F(2k) = F(k) (2 F(k+1) - F(k)), F(2k+1) = F(k)^2 + F(k+1)^2, from the top bit down
    constexpr long long kPrime = 1000000007;
    long long a = 0, b = 1;
    for (int bit = 30; bit >= 0; --bit) {
      const long long even = a * ((2 * b - a + kPrime) % kPrime) % kPrime,
                      odd = (a * a + b * b) % kPrime;
      a = (n >> bit & 1) != 0 ? odd : even;
      b = (n >> bit & 1) != 0 ? (even + odd) % kPrime : odd;
    }
    want.push_back(int(a));
  }
  testing::expect_equal(out.download(), want);

  constexpr int kSize = 12;
  const auto parts = testing::random_floats(4 * kSize * kSize, 8);
  std::vector<cuDoubleComplex> a;
  std::vector<cuFloatComplex> b;
  for (std::size_t i = 0; i < kSize * kSize; ++i) {
    a.push_back(make_cuDoubleComplex(double(parts[4 * i]), double(parts[4 * i + 1])));
    b.push_back(make_cuFloatComplex(parts[4 * i + 2], parts[4 * i + 3]));
  }
  const testing::Buffer<cuDoubleComplex> da(a);
  const testing::Buffer<cuFloatComplex> db(b);
  testing::Buffer<cuDoubleComplex> dc(a.size());
  complex_product<<<1, dim3(kSize, kSize)>>>(da.get(), db.get(), dc.get(), kSize);
  FINISH_LAUNCH();
  const auto got = dc.download();
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < kSize; ++j) {
      std::complex<double> sum = 0;
      for (std::size_t k = 0; k < kSize; ++k) {
        const auto& x = a[i * kSize + k];
        const auto& y = b[k * kSize + j];
        sum += std::complex<double>(x.x, x.y) * std::complex<double>(double(y.x), -double(y.y));
      }
      sum /= std::complex<double>(1 + std::abs(sum), double(i));
      EXPECT(std::abs(sum - std::complex<double>(got[i * kSize + j].x, got[i * kSize + j].y)) <
             1e-13);
    }
  }
}

void run() {
  for (const int n : {1, 2, 33, 40}) lu(n);
  in_one_block();
  conjugate_gradients();
  powers_and_complex();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
