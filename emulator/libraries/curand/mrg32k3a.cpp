#include "emulator/libraries/curand/mrg32k3a.h"

#include <numbers>

#include "emulator/libraries/curand/threads.h"

namespace warpsim::curand {
namespace {

constexpr std::size_t kMrgThreads = 81920;
constexpr std::size_t kLegacyThreads = 4096;
constexpr int kMrgSubsequence = 76;  // log2 of its length

using State = std::array<std::uint32_t, 3>;
using Matrix = std::array<State, 3>;  // rows

/// x[n] = (a x[n-1] + b x[n-2] + c x[n-3]) mod m; the state is x[n-3], x[n-2], x[n-1].
struct Recurrence {
  std::uint64_t modulus;
  std::uint64_t last, middle, first;  // factors, from that of x[n-1]
};
constexpr std::array<Recurrence, 2> kRecurrences = {{
    {4294967087, 0, 1403580, 4294967087 - 810728},
    {4294944443, 527612, 0, 4294944443 - 1370589},
}};

std::uint32_t times(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint32_t>(a * b % modulus);
}

State image_of(const Matrix& matrix, const State& state, std::uint64_t modulus) {
  State image = {};
  for (std::size_t row = 0; row < 3; ++row) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += times(matrix[row][i], state[i], modulus);
    image[row] = static_cast<std::uint32_t>(sum % modulus);
  }
  return image;
}

Matrix squared(const Matrix& matrix, std::uint64_t modulus) {
  Matrix product = {};
  for (std::size_t column = 0; column < 3; ++column) {
    const State image =
        image_of(matrix, {matrix[0][column], matrix[1][column], matrix[2][column]}, modulus);
    for (std::size_t row = 0; row < 3; ++row) product[row][column] = image[row];
  }
  return product;
}

/// Matrices that skip 1, 2, 4, ..., 2^76 numbers, of either recurrence.
using Powers = std::array<std::array<Matrix, kMrgSubsequence + 1>, 2>;
const Powers& skips() {
  static const Powers powers = [] {
    Powers made = {};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto [modulus, last, middle, first] = kRecurrences[i];
      made[i][0] = {{{0, 1, 0},
                     {0, 0, 1},
                     {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(middle),
                      static_cast<std::uint32_t>(last)}}};
      for (std::size_t power = 1; power < made[i].size(); ++power) {
        made[i][power] = squared(made[i][power - 1], modulus);
      }
    }
    return made;
  }();
  return powers;
}

}  // namespace

Mrg32k3a::Mrg32k3a(std::uint64_t seed) {
  constexpr std::uint32_t kStart = 12345;
  states_ = {{{kStart, kStart, kStart}, {kStart, kStart, kStart}}};
  if (seed == 0) return;
  const std::array<std::uint32_t, 2> parts = {
      static_cast<std::uint32_t>(seed) ^ 0x55555555U,
      static_cast<std::uint32_t>(seed >> 32) ^ 0xaaaaaaaaU,
  };
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      states_[i][j] = times(parts[(i + j) % 2], kStart, kRecurrences[i].modulus);
    }
  }
}

std::uint32_t Mrg32k3a::draw() {
  for (std::size_t i = 0; i < 2; ++i) {
    auto& s = states_[i];
    const auto [modulus, last, middle, first] = kRecurrences[i];
    // Each product is below 2^64 / 2^10, but for that with `first`.
    const std::uint64_t sum = s[2] * last + s[1] * middle + times(s[0], first, modulus);
    s = {s[1], s[2], static_cast<std::uint32_t>(sum % modulus)};
  }
  const std::uint32_t x = states_[0][2], y = states_[1][2];
  return x > y ? x - y : x - y + static_cast<std::uint32_t>(kRecurrences[0].modulus);
}

std::uint32_t Mrg32k3a::bits() {
  constexpr double kToAllBits = 1.000000048662;
  return static_cast<std::uint32_t>(draw() * kToAllBits);
}

double Mrg32k3a::uniform_double() {
  constexpr double kToOne = 2.3283065498378288e-10;
  return draw() * kToOne;
}

std::array<float, 2> Mrg32k3a::normals() {
  const float distance = uniform();
  return box_muller(distance, uniform() * (2 * std::numbers::pi_v<float>));
}

std::array<double, 2> Mrg32k3a::normals_double() {
  const double distance = uniform_double();
  return box_muller(distance, uniform_double() * 2);
}

void Mrg32k3a::skip(std::uint64_t draws) {
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t power = 0; power < 64 && draws >> power != 0; ++power) {
      if ((draws >> power & 1) == 0) continue;
      states_[i] = image_of(skips()[i][power], states_[i], kRecurrences[i].modulus);
    }
  }
}

void Mrg32k3a::next_subsequence() {
  for (std::size_t i = 0; i < 2; ++i) {
    states_[i] = image_of(skips()[i][kMrgSubsequence], states_[i], kRecurrences[i].modulus);
  }
}

std::unique_ptr<Sequence> make_mrg32k3a(std::uint64_t seed, std::uint64_t offset, bool is_legacy) {
  Mrg32k3a start(seed);
  return std::make_unique<Threads<Mrg32k3a>>(is_legacy ? kLegacyThreads : kMrgThreads, offset,
                                             [&](std::size_t) {
                                               const Mrg32k3a engine = start;
                                               start.next_subsequence();
                                               return engine;
                                             });
}

}  // namespace warpsim::curand
