#include <algorithm>
#include <string>

#include "emulator/tests/support/program.h"

// Dynamic programming along diagonals, string matching, option prices, and Monte Carlo with a
// generator of one's own.

namespace {

constexpr int kMatch = 3, kMismatch = -2, kOpen = 5, kExtend = 1, kLongest = 128;

/// Smith-Waterman with affine gaps, one pair a block, one thread a column; anti-diagonals go
/// through shared memory in turns.
__global__ void align(const char* a, const char* b, int a_length, int b_length, int* best) {
  __shared__ int score[3][kLongest + 1], up_gap[2][kLongest + 1], left_gap[2][kLongest + 1];
  __shared__ int largest;
  const int j = int(threadIdx.x) + 1;  // column
  const char mine = j <= b_length ? b[blockIdx.x * kLongest + threadIdx.x] : 0;
  for (int k = int(threadIdx.x); k <= kLongest; k += int(blockDim.x)) {
    for (int s = 0; s < 3; ++s) score[s][k] = 0;
    for (int s = 0; s < 2; ++s) up_gap[s][k] = left_gap[s][k] = -10000;
  }
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  int own_best = 0;
  for (int diagonal = 2; diagonal <= a_length + b_length; ++diagonal) {
    const int i = diagonal - j, now = diagonal % 3, one = (diagonal + 2) % 3,
              two = (diagonal + 1) % 3;
    const int g = diagonal % 2, h = 1 - g;
    if (i >= 1 && i <= a_length && j <= b_length) {
      up_gap[g][j] = max(score[one][j] - kOpen, up_gap[h][j] - kExtend);
      left_gap[g][j] = max(score[one][j - 1] - kOpen, left_gap[h][j - 1] - kExtend);
      const char other = a[blockIdx.x * kLongest + unsigned(i) - 1];
      const int paired = score[two][j - 1] + (other == mine ? kMatch : kMismatch);
      score[now][j] = max(max(0, paired), max(up_gap[g][j], left_gap[g][j]));
      own_best = max(own_best, score[now][j]);
    } else if (i == 0 && j <= b_length) {
      score[now][j] = 0;  // the first row
      up_gap[g][j] = left_gap[g][j] = -10000;
    }
    __syncthreads();
  }
  atomicMax(&largest, own_best);
  __syncthreads();
  if (threadIdx.x == 0) best[blockIdx.x] = largest;
}

int align_model(const std::string& a, const std::string& b) {
  const std::size_t rows = a.size() + 1, columns = b.size() + 1;
  std::vector<int> h(rows * columns), up(rows * columns, -10000), left = up;
  int best = 0;
  for (std::size_t i = 1; i < rows; ++i) {
    for (std::size_t j = 1; j < columns; ++j) {
      const std::size_t at = i * columns + j;
      up[at] = std::max(h[at - columns] - kOpen, up[at - columns] - kExtend);
      left[at] = std::max(h[at - 1] - kOpen, left[at - 1] - kExtend);
      const int paired = h[at - columns - 1] + (a[i - 1] == b[j - 1] ? kMatch : kMismatch);
      best = std::max(best, h[at] = std::max({0, paired, up[at], left[at]}));
    }
  }
  return best;
}

void alignments() {
  constexpr int kPairs = 5, kA = 90, kB = 75;
  std::vector<char> a(kPairs * kLongest), b(a.size());
  const auto letters = testing::random_integers(2 * a.size(), 4);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = "ACGT"[letters[i]];
    // The second is the first with some letters changed and some left out.
    b[i] = letters[i + a.size()] == 0 ? 'A' : a[std::min(i + i % kLongest / 20, a.size() - 1)];
  }
  const testing::Buffer<char> da(a), db(b);
  testing::Buffer<int> best(kPairs);
  align<<<kPairs, 96>>>(da.get(), db.get(), kA, kB, best.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (std::size_t p = 0; p < kPairs; ++p) {
    want.push_back(
        align_model(std::string(&a[p * kLongest], kA), std::string(&b[p * kLongest], kB)));
  }
  EXPECT(want[0] > 20);
  testing::expect_equal(best.download(), want);
}

// -- text -----------------------------------------------------------------------------------------

/// Edit distance of a pattern of up to 64 letters by bit vectors (Myers), one text a thread.
__global__ void edit_distance(const char* pattern, int length, const char* texts, int text_length,
                              int* out) {
  const char* text = texts + int(threadIdx.x) * text_length;
  unsigned long long plus = ~0ull, minus = 0;
  int distance = length;
  for (int k = 0; k < text_length; ++k) {
    unsigned long long equal = 0;
    for (int i = 0; i < length; ++i) equal |= (unsigned long long)(pattern[i] == text[k]) << i;
    const unsigned long long vertical = equal | minus;
    const unsigned long long across = (((equal & plus) + plus) ^ plus) | equal;
    unsigned long long up = minus | ~(across | plus), down = plus & across;
    if (up >> (length - 1) & 1) ++distance;
    if (down >> (length - 1) & 1) --distance;
    up = up << 1 | 1;
    plus = down << 1 | ~(vertical | up);
    minus = up & vertical;
  }
  out[threadIdx.x] = distance;
}

/// Longest common subsequence of all pairs of words, rows kept in local memory.
__global__ void common_letters(const char* words, int length, int count, int* out) {
  const int x = int(threadIdx.x), y = int(blockIdx.x);
  unsigned char row[33] = {};
  for (int i = 0; i < length; ++i) {
    unsigned char before = 0;
    for (int j = 1; j <= length; ++j) {
      const unsigned char above = row[j];
      row[j] = words[y * length + i] == words[x * length + j - 1]
                   ? static_cast<unsigned char>(before + 1)
                   : max(row[j], row[j - 1]);
      before = above;
    }
  }
  out[y * count + x] = row[length];
}

void texts() {
  constexpr int kWords = 24, kLength = 30, kPattern = 22;
  std::vector<char> words;
  for (const int x : testing::random_integers(kWords * kLength, 5, 4))
    words.push_back(char('a' + x));
  const testing::Buffer<char> in(words);
  testing::Buffer<int> distances(kWords), common(kWords * kWords);
  edit_distance<<<1, kWords>>>(in.get(), kPattern, in.get(), kLength, distances.get());
  common_letters<<<kWords, kWords>>>(in.get(), kLength, kWords, common.get());
  FINISH_LAUNCH();
  std::vector<int> want_distances, want_common;
  for (std::size_t y = 0; y < kWords; ++y) {
    for (std::size_t x = 0; x < kWords; ++x) {
      int rows[kLength + 1][kLength + 1] = {};
      for (std::size_t i = 1; i <= kLength; ++i) {
        for (std::size_t j = 1; j <= kLength; ++j) {
          rows[i][j] = words[y * kLength + i - 1] == words[x * kLength + j - 1]
                           ? rows[i - 1][j - 1] + 1
                           : std::max(rows[i - 1][j], rows[i][j - 1]);
        }
      }
      want_common.push_back(rows[kLength][kLength]);
    }
    int edits[kPattern + 1][kLength + 1];
    for (int i = 0; i <= kPattern; ++i) {
      for (int j = 0; j <= kLength; ++j) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        const int changed = words[std::size_t(i - 1)] != words[y * kLength + std::size_t(j - 1)];
        edits[i][j] =
            std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + changed});
      }
    }
    want_distances.push_back(edits[kPattern][kLength]);
  }
  testing::expect_equal(distances.download(), want_distances);
  testing::expect_equal(common.download(), want_common);
}

// -- options --------------------------------------------------------------------------------------

struct Option {
  float spot, strike, years;
};

template <class T>
__host__ __device__ T cumulative_normal(T d) {
  // Abramowitz and Stegun 26.2.17, as in every sample.
  const T k = T(1) / (T(1) + T(0.2316419) * fabs(d));
  const T tail =
      T(0.39894228040143267794) * exp(T(-0.5) * d * d) * k *
      (T(0.31938153) +
       k * (T(-0.356563782) + k * (T(1.781477937) + k * (T(-1.821255978) + k * T(1.330274429)))));
  return d > 0 ? T(1) - tail : tail;
}

template <class T>
__host__ __device__ void black_scholes(const Option& option, T rate, T volatility, T* call,
                                       T* put) {
  const T s = T(option.spot), x = T(option.strike), years = T(option.years), root = sqrt(years);
  const T d1 =
      (log(s / x) + (rate + T(0.5) * volatility * volatility) * years) / (volatility * root);
  const T d2 = d1 - volatility * root;
  const T discounted = x * exp(-rate * years);
  *call = s * cumulative_normal(d1) - discounted * cumulative_normal(d2);
  *put = discounted * (T(1) - cumulative_normal(d2)) - s * (T(1) - cumulative_normal(d1));
}

__global__ void closed_form(const Option* options, float2* out, int n) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    black_scholes(options[i], 0.02f, 0.3f, &out[i].x, &out[i].y);
  }
}

/// Cox-Ross-Rubinstein: one option a block, the tree's layer in shared memory, back to its root.
__global__ void binomial(const Option* options, float* out, int steps) {
  extern __shared__ float layer[];
  const Option option = options[blockIdx.x];
  const float dt = option.years / float(steps), up = expf(0.3f * sqrtf(dt)),
              growth = expf(0.02f * dt);
  const float p = (growth - 1 / up) / (up - 1 / up);
  for (int i = int(threadIdx.x); i <= steps; i += int(blockDim.x)) {
    layer[i] = fmaxf(option.spot * powf(up, float(2 * i - steps)) - option.strike, 0.0f);
  }
  for (int left = steps; left > 0; --left) {
    for (int first = 0; first < left; first += int(blockDim.x)) {
      __syncthreads();
      const int i = first + int(threadIdx.x);
      const float value = i < left ? (p * layer[i + 1] + (1 - p) * layer[i]) / growth : 0;
      __syncthreads();
      if (i < left) layer[i] = value;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = layer[0];
}

/// A quarter circle by points of a generator that each thread seeds with its number.
__global__ void monte_carlo_pi(unsigned long long* inside, int each) {
  __shared__ int hits;
  if (threadIdx.x == 0) hits = 0;
  __syncthreads();
  unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435769u + 12345u;
  const auto next = [&state] {  // xorshift
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return __uint2float_rz(state >> 8) * 0x1p-24f;
  };
  int mine = 0;
  for (int k = 0; k < 8; ++k) next();
  for (int k = 0; k < each; ++k) {
    const float x = next(), y = next();
    mine += x * x + y * y < 1.0f;
  }
  for (int by = 16; by > 0; by /= 2) mine += __shfl_down_sync(~0u, mine, by);
  if (threadIdx.x % 32 == 0) atomicAdd_block(&hits, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(inside, (unsigned long long)hits);
}

void options() {
  constexpr int kOptions = 300, kTrees = 6;
  std::vector<Option> all;
  const auto parts = testing::random_integers(3 * kOptions, 1000, 6);
  for (std::size_t i = 0; i < kOptions; ++i) {
    all.push_back({5 + float(parts[3 * i]) / 40, 1 + float(parts[3 * i + 1]) / 10,
                   0.25f + float(parts[3 * i + 2]) / 100});
  }
  const testing::Buffer<Option> in(all);
  testing::Buffer<float2> out(kOptions);
  testing::Buffer<float> trees(kTrees);
  constexpr int kSteps = 300;
  closed_form<<<2, 96>>>(in.get(), out.get(), kOptions);
  binomial<<<kTrees, 128, (kSteps + 1) * sizeof(float)>>>(in.get(), trees.get(), kSteps);
  FINISH_LAUNCH();
  const std::vector<float2> got = out.download();
  std::vector<double> calls;
  for (std::size_t i = 0; i < kOptions; ++i) {
    double call = 0, put = 0;
    black_scholes(all[i], 0.02, 0.3, &call, &put);
    calls.push_back(call);
    EXPECT(std::fabs(double(got[i].x) - call) < 1e-3 && std::fabs(double(got[i].y) - put) < 1e-3);
  }
  const std::vector<float> from_trees = trees.download();
  for (std::size_t i = 0; i < kTrees; ++i)
    EXPECT(std::fabs(double(from_trees[i]) - calls[i]) < 0.05);
}

void pi() {
  testing::Buffer<unsigned long long> inside(1);
  inside.fill_bytes(0);
  monte_carlo_pi<<<8, 128>>>(inside.get(), 200);
  FINISH_LAUNCH();
  const double points = 8 * 128 * 200;
  EXPECT(std::fabs(4 * double(inside.download()[0]) / points - M_PI) < 0.02);
}

void run() {
  alignments();
  texts();
  options();
  pi();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
