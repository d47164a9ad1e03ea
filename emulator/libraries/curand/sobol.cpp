#include "emulator/libraries/curand/sobol.h"

#include <array>
#include <bit>
#include <boost/random/detail/sobol_table.hpp>
#include <vector>

#include "emulator/libraries/curand/distributions.h"

namespace warpsim::curand {
namespace {

using Table = boost::random::detail::qrng_tables::sobol;

template <class Word>
inline constexpr int kBits = 8 * sizeof(Word);

/// The recurrence of Bratley and Fox (ACM TOMS 659) from the first few odd numbers.
template <class Word>
void fill(std::uint32_t dimension, std::span<Word> to) {
  constexpr int kTop = kBits<Word> - 1;
  if (dimension == 0) {
    for (int i = 0; i <= kTop; ++i) to[static_cast<std::size_t>(i)] = Word{1} << (kTop - i);
    return;
  }
  const std::uint32_t polynomial = Table::polynomial(dimension - 1);
  const auto degree = static_cast<std::size_t>(std::bit_width(polynomial) - 1);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (i < degree) {
      to[i] = Word{Table::minit(dimension - 1, i)} << (kTop - static_cast<int>(i));
      continue;
    }
    to[i] = to[i - degree] ^ (to[i - degree] >> degree);
    for (std::size_t k = 1; k < degree; ++k) {
      if ((polynomial >> (degree - k) & 1) != 0) to[i] ^= to[i - k];
    }
  }
}

float float_of(std::uint32_t x) {
  return uniform_float(x);
}
float float_of(std::uint64_t x) {
  return uniform_float(static_cast<std::uint32_t>(x >> 32));
}
double double_of(std::uint32_t x) {
  return x * kTwoToMinus32 + kTwoToMinus32;
}
double double_of(std::uint64_t x) {
  return uniform_double(x >> 11);
}
float normal_of(std::uint32_t x) {
  return normal_float(x);
}
float normal_of(std::uint64_t x) {
  return normal_float(static_cast<std::uint32_t>(x >> 32));
}
double normal_double_of(std::uint32_t x) {
  return normal_double(x);
}
double normal_double_of(std::uint64_t x) {
  return normal_double_of_53(x >> 11);
}

template <class Word>
class Sobol : public Sequence {
  using Sequence::bits;  // of the other width

 public:
  Sobol(std::uint32_t dimensions, std::uint64_t offset)
      : directions_(dimensions), position_(offset) {
    for (std::uint32_t i = 0; i < dimensions; ++i) direction_numbers(i, directions_[i]);
  }

  void bits(std::span<Word> to) override {
    each(to, [](Word x) { return x; });
  }
  void uniform(std::span<float> to) override {
    each(to, [](Word x) { return float_of(x); });
  }
  void uniform(std::span<double> to) override {
    each(to, [](Word x) { return double_of(x); });
  }
  void normal(std::span<float> to) override {
    each(to, [](Word x) { return normal_of(x); });
  }
  void normal(std::span<double> to) override {
    each(to, [](Word x) { return normal_double_of(x); });
  }

 private:
  template <class T, class Make>
  void each(std::span<T> to, Make make) {
    const std::size_t points = to.size() / directions_.size();
    for (std::size_t dimension = 0; dimension < directions_.size(); ++dimension) {
      const auto& directions = directions_[dimension];
      std::uint64_t index = position_;
      Word x = 0;
      for (std::uint64_t gray = index ^ (index >> 1); gray != 0; gray &= gray - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(gray));
        if (bit < directions.size()) x ^= directions[bit];
      }
      for (T& value : to.subspan(dimension * points, points)) {
        value = make(x);
        const auto bit = static_cast<std::size_t>(std::countr_one(index++));
        if (bit < directions.size()) x ^= directions[bit];
      }
    }
    position_ += points;
  }
  std::vector<std::array<Word, kBits<Word>>> directions_;
  std::uint64_t position_;
};

}  // namespace

std::uint32_t sobol_dimensions() {
  return Table::max_dimension;
}

void direction_numbers(std::uint32_t dimension, std::span<std::uint32_t, 32> to) {
  fill<std::uint32_t>(dimension, to);
}
void direction_numbers(std::uint32_t dimension, std::span<std::uint64_t, 64> to) {
  fill<std::uint64_t>(dimension, to);
}

std::unique_ptr<Sequence> make_sobol32(std::uint32_t dimensions, std::uint64_t offset) {
  return std::make_unique<Sobol<std::uint32_t>>(dimensions, offset);
}
std::unique_ptr<Sequence> make_sobol64(std::uint32_t dimensions, std::uint64_t offset) {
  return std::make_unique<Sobol<std::uint64_t>>(dimensions, offset);
}

}  // namespace warpsim::curand
