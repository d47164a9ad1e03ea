#include "harness/data/random.h"

#include <array>
#include <bit>
#include <string>

namespace warpgrade {

namespace {

using State = std::array<std::uint64_t, 4>;

void round(State& v) {
  v[0] += v[1];
  v[1] = std::rotl(v[1], 13) ^ v[0];
  v[0] = std::rotl(v[0], 32);
  v[2] += v[3];
  v[3] = std::rotl(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = std::rotl(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = std::rotl(v[1], 17) ^ v[2];
  v[2] = std::rotl(v[2], 32);
}

void absorb(State& v, std::uint64_t word) {
  v[3] ^= word;
  round(v);
  round(v);
  v[0] ^= word;
}

/// Up to eight characters as a little-endian word.
std::uint64_t word_of(std::string_view piece) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(piece[i])} << (8 * i);
  }
  return word;
}

}  // namespace

std::uint64_t siphash(std::uint64_t key0, std::uint64_t key1, std::string_view text) {
  State v = {key0 ^ 0x736f6d6570736575U, key1 ^ 0x646f72616e646f6dU, key0 ^ 0x6c7967656e657261U,
             key1 ^ 0x7465646279746573U};
  const std::uint64_t length = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) absorb(v, word_of(text.substr(0, 8)));
  absorb(v, word_of(text) | (length << 56U));
  v[2] ^= 0xffU;
  for (int i = 0; i < 4; ++i) round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

std::uint64_t hash_fields(std::initializer_list<std::string_view> fields) {
  std::string joined;
  for (const std::string_view field : fields) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      joined.push_back(static_cast<char>((field.size() >> shift) & 0xffU));
    }
    joined.append(field);
  }
  return siphash(0, 0, joined);
}

}  // namespace warpgrade
