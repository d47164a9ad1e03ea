#include "emulator/libraries/curand/mt19937_jump.h"

#include <algorithm>
#include <vector>

// Words of MT19937 satisfy a linear recurrence over the field of two elements, whose polynomial p
// has degree 19937. The words 2^2048 places on are the sum of those words among the next 19937
// that x^(2^2048) mod p names (Haramoto and others, 2008).

namespace warpsim::curand {
namespace {

constexpr std::size_t kMiddle = 397;
constexpr std::size_t kDegree = 19937;
constexpr int kJump = 2048;  // log2 of its length
constexpr std::uint32_t kTwist = 0x9908b0df;

/// The word that follows 624 others: of these the first, the second and the one in the middle.
constexpr std::uint32_t following(std::uint32_t first, std::uint32_t second, std::uint32_t middle) {
  const std::uint32_t y = (first & 0x80000000) | (second & 0x7fffffff);
  return middle ^ (y >> 1) ^ ((y & 1) != 0 ? kTwist : 0);
}

/// Coefficients, from that of x^0.
using Polynomial = std::vector<std::uint8_t>;

Polynomial product(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  Polynomial result(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] ^= b[j];
  }
  return result;
}

Polynomial two_terms(std::size_t high, std::size_t low) {
  Polynomial p(high + 1);
  p[high] = 1;
  p[low] ^= 1;
  return p;
}

/// The exponents of p, as the authors of MT19937 give it: with f = x^624 + x^397,
/// g = x^623 + x^396 and the bits a of the twist, f g^31 + sum a_i g^(30-i) f, i < 31, + a_31.
std::vector<std::size_t> characteristic_exponents() {
  constexpr std::size_t kLowerBits = 31;
  const Polynomial f = two_terms(kMt19937Words, kMiddle);
  const Polynomial g = two_terms(kMt19937Words - 1, kMiddle - 1);
  Polynomial sum(kDegree + 1);
  Polynomial power = {1};
  const auto add = [&](const Polynomial& part) {
    for (std::size_t i = 0; i < part.size(); ++i) sum[i] ^= part[i];
  };
  // In the order of rising powers of g.
  for (std::size_t i = 0; i <= kLowerBits; ++i) {
    const bool is_last = i == kLowerBits;
    const std::uint32_t bit = is_last ? 1 : kTwist >> (kLowerBits - 1 - i) & 1;
    if (bit != 0) add(product(power, f));
    if (!is_last) power = product(power, g);
  }
  if ((kTwist >> kLowerBits & 1) != 0) sum[0] ^= 1;
  std::vector<std::size_t> exponents;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] != 0) exponents.push_back(i);
  }
  return exponents;
}

/// A polynomial as bits, 64 in a word, the coefficient of x^0 first.
class Bits {
 public:
  explicit Bits(std::size_t count) : words_(count / 64 + 2) {}

  /// 64 bits from a place on.
  [[nodiscard]] std::uint64_t get(std::size_t at) const {
    const std::size_t shift = at % 64;
    const std::uint64_t low = words_[at / 64] >> shift;
    return shift == 0 ? low : low | words_[at / 64 + 1] << (64 - shift);
  }
  void add(std::size_t at, std::uint64_t bits) {
    const std::size_t shift = at % 64;
    words_[at / 64] ^= bits << shift;
    if (shift != 0) words_[at / 64 + 1] ^= bits >> (64 - shift);
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Bits with a 0 after each: the square of a polynomial with 32 coefficients.
constexpr std::uint64_t spread(std::uint32_t bits) {
  std::uint64_t x = bits;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

/// value^2 mod p. @param exponents  of p, the last but one of which is below its degree by 64 or
/// more
Bits squared(const Bits& value, const std::vector<std::size_t>& exponents) {
  Bits square(2 * kDegree + 128);
  for (std::size_t at = 0; at < kDegree; at += 32) {
    square.add(2 * at, spread(static_cast<std::uint32_t>(value.get(at))));
  }
  for (std::size_t chunk = kDegree / 64 + 1; chunk-- > 0;) {
    const std::uint64_t bits = square.get(kDegree + 64 * chunk);
    for (const std::size_t exponent : exponents) square.add(64 * chunk + exponent, bits);
  }
  return square;
}

/// x^(2^2048) mod p
const Polynomial& jump() {
  static const Polynomial& made = *new Polynomial([] {
    const std::vector<std::size_t> exponents = characteristic_exponents();
    Bits value(kDegree);
    value.add(1, 1);
    for (int i = 0; i < kJump; ++i) value = squared(value, exponents);
    Polynomial coefficients(kDegree);
    for (std::size_t i = 0; i < kDegree; ++i) {
      coefficients[i] = static_cast<std::uint8_t>(value.get(i) & 1);
    }
    return coefficients;
  }());
  return made;
}

}  // namespace

Mt19937State mt19937_state(std::uint64_t seed) {
  Mt19937State state;
  state[0] = static_cast<std::uint32_t>(seed);
  for (std::uint32_t i = 1; i < kMt19937Words; ++i) {
    state[i] = 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
  }
  return state;
}

void mt19937_round(Mt19937State& state) {
  for (std::size_t i = 0; i < kMt19937Words; ++i) {
    state[i] =
        following(state[i], state[(i + 1) % kMt19937Words], state[(i + kMiddle) % kMt19937Words]);
  }
}

Mt19937State mt19937_jumped(const Mt19937State& state) {
  constexpr std::size_t kWindow = 4;
  constexpr std::size_t kWords = kDegree + kMt19937Words + kWindow;
  std::vector<std::uint32_t> words(kWords);
  std::copy(state.begin(), state.end(), words.begin());
  for (std::size_t i = kMt19937Words; i < kWords; ++i) {
    const std::size_t first = i - kMt19937Words;
    words[i] = following(words[first], words[first + 1], words[first + kMiddle]);
  }
  // Sums of the words that a window of coefficients names, for windows that begin with 1.
  std::array<std::vector<std::uint32_t>, (1 << kWindow) / 2> sums;
  for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
    auto& sum = sums[pattern] = words;
    for (std::size_t bit = 1; bit < kWindow; ++bit) {
      if ((pattern >> (bit - 1) & 1) == 0) continue;
      for (std::size_t i = 0; i + bit < kWords; ++i) sum[i] ^= words[i + bit];
    }
  }
  const Polynomial& polynomial = jump();
  Mt19937State jumped = {};
  for (std::size_t at = 0; at < polynomial.size();) {
    if (polynomial[at] == 0) {
      ++at;
      continue;
    }
    std::size_t pattern = 0;
    for (std::size_t bit = 1; bit < kWindow && at + bit < polynomial.size(); ++bit) {
      pattern |= static_cast<std::size_t>(polynomial[at + bit]) << (bit - 1);
    }
    const std::uint32_t* const sum = &sums[pattern][at];
    for (std::size_t i = 0; i < kMt19937Words; ++i) jumped[i] ^= sum[i];
    at += kWindow;
  }
  return jumped;
}

}  // namespace warpsim::curand
