#include "emulator/cudart/byte_search.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpsim::cudart {
namespace {

constexpr std::size_t kFewestTelling = 16;
constexpr std::size_t kNeedle = 64;
constexpr int kMostTries = 64;

constexpr std::size_t kKeyBytes = sizeof(std::uint64_t);
constexpr std::size_t kBitsPerByte = 4;
constexpr std::size_t kMostBits = std::size_t{1} << 28;

}  // namespace

std::size_t ByteSearch::bit_of(const std::byte* window) const {
  std::uint64_t value = 0;
  std::memcpy(&value, window, sizeof value);
  constexpr std::uint64_t kFibonacci = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio
  const int bits = std::countr_zero(filter_.size());
  return static_cast<std::size_t>((value ^ value >> 29) * kFibonacci >> (64 - bits));
}

void ByteSearch::make_filter() {
  filter_.assign(std::min(std::bit_ceil(whole_.size() * kBitsPerByte), kMostBits), false);
  for (std::size_t at = 0; at + kKeyBytes <= whole_.size(); ++at) {
    filter_[bit_of(whole_.data() + at)] = true;
  }
}

bool ByteSearch::may_contain(std::span<const std::byte> bytes) {
  if (!std::exchange(searched_, true)) return true;
  if (filter_.empty()) make_filter();
  for (std::size_t at = 0; at + kKeyBytes <= bytes.size(); at += kKeyBytes) {
    if (!filter_[bit_of(bytes.data() + at)]) return false;
  }
  return true;
}

bool ByteSearch::contains(std::span<const std::byte> bytes) {
  if (bytes.empty() || bytes.size() > whole_.size()) return false;
  if (bytes.size() < kFewestTelling && bytes.size() != whole_.size()) return false;
  const auto is_at = [&](std::size_t at) {
    const bool found = at <= whole_.size() - bytes.size() &&
                       std::memcmp(whole_.data() + at, bytes.data(), bytes.size()) == 0;
    if (found) after_last_ = at + bytes.size();
    return found;
  };
  if (is_at(after_last_)) return true;
  if (!may_contain(bytes)) return false;
  const std::size_t needle = std::min(bytes.size(), kNeedle);
  const std::size_t last = whole_.size() - bytes.size();
  std::size_t from = 0;
  for (int i = 0; i < kMostTries && from <= last; ++i, ++from) {
    const void* found = ::memmem(whole_.data() + from, last - from + needle, bytes.data(), needle);
    if (found == nullptr) return false;
    from = static_cast<std::size_t>(static_cast<const std::byte*>(found) - whole_.data());
    if (is_at(from)) return true;
  }
  return false;
}

}  // namespace warpsim::cudart
