#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

// What tensor cores compute, in integers. A sum of products is made in blocks: addends are aligned
// to the largest exponent, cut off behind `fraction` bits, added, and the sum is rounded once.

namespace differential::tensor {

/// An IEEE-like format; e4m3 has numbers where others have infinities.
struct Format {
  const char* name;
  int exponent_bits, mantissa_bits;
  int shift = 0;  // unused low bits of an element
  bool no_infinity = false;

  [[nodiscard]] constexpr int bits() const { return 1 + exponent_bits + mantissa_bits + shift; }
  [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

constexpr Format kF16 = {"f16", 5, 10};
constexpr Format kBf16 = {"bf16", 8, 7};
constexpr Format kTf32 = {"tf32", 8, 10, 13};
constexpr Format kF32 = {"f32", 8, 23};
constexpr Format kF64 = {"f64", 11, 52};
constexpr Format kE4m3 = {"e4m3", 4, 3, 0, true};
constexpr Format kE5m2 = {"e5m2", 5, 2};

/// significand * 2^(exponent - mantissa bits), or a special value.
struct Number {
  std::int64_t significand = 0;
  int exponent = 0;
  bool nan = false;
  int infinity = 0;  // its sign, or 0
};

inline Number decode(std::uint64_t raw, const Format& format) {
  raw >>= format.shift;
  const int mantissa_bits = format.mantissa_bits;
  const auto mantissa = std::int64_t(raw & ((std::uint64_t(1) << mantissa_bits) - 1));
  const int field = int(raw >> mantissa_bits) & ((1 << format.exponent_bits) - 1);
  const bool negative = (raw >> (mantissa_bits + format.exponent_bits)) & 1;
  Number number;
  const bool top = field == (1 << format.exponent_bits) - 1;
  const auto all_ones = (std::int64_t(1) << mantissa_bits) - 1;
  if (top && (!format.no_infinity || mantissa == all_ones)) {
    number.nan = format.no_infinity || mantissa != 0;
    number.infinity = number.nan ? 0 : negative ? -1 : 1;
    return number;
  }
  const auto significand = field > 0 ? mantissa | std::int64_t(1) << mantissa_bits : mantissa;
  number.significand = negative ? -significand : significand;
  number.exponent = (field > 0 ? field : 1) - format.bias();
  return number;
}

/// How a generation adds: see docs/emulator.md.
struct Generation {
  int fraction;  // bits of aligned addends behind the point
  int block_bytes;  // of one operand's elements that are added at a time
  int zero_exponent;
  bool native_fp8;
  bool chains_quads;  // m8n8k4: fused multiply-adds stand in
};

inline Generation generation_of(int major, int minor) {
  if (major >= 9) return {25, 32, -133, false, true};
  if (major == 8 && minor == 9) return {24, 16, -132, true, true};
  if (major == 8 || minor >= 5) return {24, 16, -132, false, major == 8};
  return {23, 8, -131, false, false};
}

/// The bits of sum * 2^exponent in a format with `kept` mantissa bits, towards zero or to nearest.
inline std::uint32_t encode(std::int64_t sum, int exponent, const Format& format, int kept,
                            bool nearest) {
  const std::uint32_t sign = sum < 0 ? 1u << (format.bits() - 1) : 0;
  const auto size = std::uint64_t(sum < 0 ? -sum : sum);
  if (size == 0) return 0;
  const int lead = 63 - std::countl_zero(size) + exponent;  // exponent of the leading bit
  const int smallest = 1 - format.bias();
  const int grid = (lead > smallest ? lead : smallest) - kept;  // exponent of the last bit kept
  std::uint64_t significand = 0;
  if (grid <= exponent) {
    significand = size << (exponent - grid);
  } else {
    const int drop = grid - exponent;
    significand = drop > 63 ? 0 : size >> drop;
    const std::uint64_t rest = drop > 63 ? size : size - (significand << drop);
    const bool tie = drop <= 63 && rest == std::uint64_t(1) << (drop - 1);
    const bool above = drop <= 63 && rest > std::uint64_t(1) << (drop - 1);
    if (nearest && (above || (tie && (significand & 1)))) ++significand;
  }
  // A significand that grew by a bit carries into the exponent field by itself.
  const auto field = std::uint64_t(grid + kept - smallest);
  const std::uint64_t bits = ((field << kept) + significand) << (format.mantissa_bits - kept);
  const std::uint64_t infinity = ((std::uint64_t(1) << format.exponent_bits) - 1)
                                 << format.mantissa_bits;
  return sign | std::uint32_t(bits < infinity ? bits : infinity);
}

/// One element: c + a[0] * b[0] + ..., `result` being f16 or f32.
struct DotProduct {
  Generation generation;
  Format a, b, c, result;
  unsigned block;  // products added at a time
  int fraction, kept;
  bool as_f16 = false;  // 8-bit operands are f16 numbers
  bool chain = false;

  DotProduct(Generation g, Format fa, Format fb, Format fc, Format fd, bool quads)
      : generation(g), a(fa), b(fb), c(fc), result(fd) {
    fraction = g.fraction;
    kept = fd.mantissa_bits;
    int bytes = fa.bits() / 8;
    if (fa.bits() == 8 && g.native_fp8) fraction = 13, kept = fd.bits() == 32 ? 13 : kept;
    if (fa.bits() == 8 && !g.native_fp8) as_f16 = true, bytes = 2;
    block = unsigned((quads ? 8 : g.block_bytes) / bytes);
    chain = quads && g.chains_quads && fd.bits() == 32;
  }

  [[nodiscard]] Number operand(std::uint64_t raw, const Format& format) const {
    Number number = decode(raw, format);
    if (!as_f16 || number.significand == 0) return number;
    while (number.exponent > -14 &&
           (number.significand < 0 ? -number.significand : number.significand) <
               std::int64_t(1) << format.mantissa_bits) {
      number.significand *= 2;
      --number.exponent;
    }
    return number;
  }

  [[nodiscard]] std::uint32_t operator()(const std::vector<std::uint64_t>& row,
                                         const std::vector<std::uint64_t>& column,
                                         std::uint64_t start) const {
    if (chain) return in_chain(row, column, start);
    if (as_f16) return accumulator_last(row, column, start);
    std::uint64_t sum = start;
    Format format = c;
    for (std::size_t first = 0; first < row.size(); first += block) {
      const std::size_t end = first + block < row.size() ? first + block : row.size();
      sum = add(row, column, first, end, decode(sum, format), format.mantissa_bits);
      format = result;
    }
    return std::uint32_t(sum);
  }

 private:
  [[nodiscard]] static double value(const Number& x, const Format& format) {
    if (x.nan) return std::numeric_limits<double>::quiet_NaN();
    if (x.infinity != 0) return x.infinity * std::numeric_limits<double>::infinity();
    return std::ldexp(double(x.significand), x.exponent - format.mantissa_bits);
  }

  /// f16 numbers are multiples of 2^-24, so their sums are exact integers of it.
  [[nodiscard]] std::uint32_t nearest(double x, double y) const {
    if (result.bits() == 32) {
      const float sum = float(x) + float(y);
      return std::isnan(sum) ? 0x7fffffff : std::bit_cast<std::uint32_t>(sum);
    }
    const double sum = x + y;
    if (std::isnan(sum)) return 0x7fff;
    if (std::isinf(sum)) return sum < 0 ? 0xfc00 : 0x7c00;
    return encode(std::int64_t(std::ldexp(sum, 24)), -24, result, result.mantissa_bits, true);
  }

  /// ((a0 b0 + a1 b1) + ...) in f32, and the accumulator last.
  [[nodiscard]] std::uint32_t in_chain(const std::vector<std::uint64_t>& row,
                                       const std::vector<std::uint64_t>& column,
                                       std::uint64_t start) const {
    const auto at = [&](std::uint64_t raw, const Format& format) {
      return float(value(decode(raw, format), format));
    };
    float sum = at(row[0], a) * at(column[0], b);
    for (std::size_t i = 1; i < row.size(); ++i) {
      sum = std::fma(at(row[i], a), at(column[i], b), sum);
    }
    return nearest(sum, at(start, c));
  }

  /// Two sums of half the products, those of k % 4 < 2 first, and the accumulator last.
  [[nodiscard]] std::uint32_t accumulator_last(const std::vector<std::uint64_t>& row,
                                               const std::vector<std::uint64_t>& column,
                                               std::uint64_t start) const {
    std::vector<std::uint64_t> x, y;
    for (const bool late : {false, true}) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if ((i % 4 >= 2) != late) continue;
        x.push_back(row[i]);
        y.push_back(column[i]);
      }
    }
    std::uint32_t sum = 0;
    const std::size_t half = row.size() / 2;
    for (std::size_t first = 0; first < row.size(); first += half) {
      sum = add(x, y, first, first + half, decode(sum, result), result.mantissa_bits);
    }
    return nearest(value(decode(sum, result), result), value(decode(start, c), c));
  }

  [[nodiscard]] std::uint32_t add(const std::vector<std::uint64_t>& row,
                                  const std::vector<std::uint64_t>& column, std::size_t first,
                                  std::size_t end, const Number& start, int start_bits) const {
    bool nan = start.nan;
    bool positive = start.infinity > 0, negative = start.infinity < 0;
    struct Addend {
      std::int64_t significand;
      int exponent, fraction;
    };
    std::vector<Addend> addends = {{start.significand, start.exponent, start_bits}};
    for (std::size_t i = first; i < end; ++i) {
      const Number x = operand(row[i], a), y = operand(column[i], b);
      const bool x_zero = x.significand == 0 && x.infinity == 0;
      const bool y_zero = y.significand == 0 && y.infinity == 0;
      nan = nan || x.nan || y.nan || (x.infinity != 0 && y_zero) || (y.infinity != 0 && x_zero);
      if (!nan && (x.infinity != 0 || y.infinity != 0)) {
        const bool below = (x.infinity + (x.infinity == 0 ? (x.significand < 0 ? -1 : 1) : 0)) *
                               (y.infinity + (y.infinity == 0 ? (y.significand < 0 ? -1 : 1) : 0)) <
                           0;
        (below ? negative : positive) = true;
      }
      addends.push_back({x.significand * y.significand, x.exponent + y.exponent,
                         a.mantissa_bits + b.mantissa_bits});
    }
    if (nan || (positive && negative)) return result.bits() == 16 ? 0x7fff : 0x7fffffff;
    if (positive || negative) {
      const std::uint32_t infinity = result.bits() == 16 ? 0x7c00 : 0x7f800000;
      return infinity | (negative ? 1u << (result.bits() - 1) : 0);
    }
    int largest = generation.zero_exponent;
    for (const Addend& x : addends) {
      if (x.significand != 0 && x.exponent > largest) largest = x.exponent;
    }
    std::int64_t total = 0;
    for (const Addend& x : addends) {
      const int shift = fraction - x.fraction - (largest - x.exponent);
      const std::int64_t size = x.significand < 0 ? -x.significand : x.significand;
      const std::int64_t cut = x.significand == 0 ? 0
                               : shift >= 0       ? size << shift
                               : shift < -62      ? 0
                                                  : size >> -shift;
      total += x.significand < 0 ? -cut : cut;
    }
    return encode(total, largest - fraction, result, kept, result.bits() == 16);
  }
};

}  // namespace differential::tensor
