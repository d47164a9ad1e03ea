#include "emulator/machine/tensor_map.h"

#include <algorithm>
#include <cstring>

namespace warpsim {
namespace {

constexpr std::uint64_t kMagic = 0x70616d2d6d697377;

std::uint64_t hash(const std::byte* bytes, std::size_t count) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < count; ++i) {
    value = (value ^ static_cast<std::uint64_t>(bytes[i])) * 0x100000001b3;
  }
  return value;
}

struct Stored {
  std::uint64_t magic, check;
  TensorMap map;
};
static_assert(sizeof(Stored) <= TensorMap::kBytes);

}  // namespace

unsigned bytes_of(TensorElement element) {
  switch (element) {
    case TensorElement::u8:
      return 1;
    case TensorElement::u16:
    case TensorElement::f16:
    case TensorElement::bf16:
      return 2;
    case TensorElement::u64:
    case TensorElement::s64:
    case TensorElement::f64:
      return 8;
    default:
      return 4;
  }
}

bool is_float(TensorElement element) {
  return element >= TensorElement::f16;
}

std::uint32_t TensorMap::box_bytes() const {
  std::uint32_t bytes = bytes_of(element);
  for (unsigned i = 0; i < rank; ++i) bytes *= count(i);
  return bytes;
}

void TensorMap::store(std::byte* to) const {
  Stored stored;
  std::memset(static_cast<void*>(&stored), 0, sizeof stored);  // padding is part of the check
  stored.magic = kMagic;
  std::copy_n(stride, kMostRank - 1, stored.map.stride);
  std::copy_n(last, kMostRank, stored.map.last);
  std::copy_n(box, kMostRank, stored.map.box);
  std::copy_n(step, kMostRank, stored.map.step);
  stored.map.address = address;
  stored.map.element = element;
  stored.map.rank = rank;
  stored.map.swizzle = swizzle;
  stored.map.fills_nan = fills_nan;
  stored.check = hash(reinterpret_cast<const std::byte*>(&stored.map), sizeof stored.map);
  std::memset(to, 0, kBytes);
  std::memcpy(to, &stored, sizeof stored);
}

std::optional<TensorMap> TensorMap::load(const std::byte* from) {
  Stored stored;
  std::memcpy(static_cast<void*>(&stored), from, sizeof stored);
  const auto* const map = reinterpret_cast<const std::byte*>(&stored.map);
  if (stored.magic != kMagic || stored.check != hash(map, sizeof stored.map)) return std::nullopt;
  return stored.map;
}

std::optional<TensorMap> encode(const TensorMapRequest& request) {
  constexpr std::uint64_t kAlignment = 16;
  constexpr std::uint64_t kMostBox = 256;
  constexpr std::uint32_t kMostStep = 8;
  constexpr std::uint8_t kSwizzles[] = {0, 32, 64, 128};
  if (request.type >= kTensorElements || request.rank == 0 || request.rank > TensorMap::kMostRank ||
      request.interleave != 0 || request.swizzle >= std::size(kSwizzles) || request.promotion > 3 ||
      request.fill > 1 || request.address % kAlignment != 0) {
    return std::nullopt;
  }
  TensorMap map;
  map.element = static_cast<TensorElement>(request.type);
  map.rank = static_cast<std::uint8_t>(request.rank);
  map.address = request.address;
  map.swizzle = kSwizzles[request.swizzle];
  map.fills_nan = static_cast<std::uint8_t>(request.fill);
  if (map.fills_nan != 0 && !is_float(map.element)) return std::nullopt;
  for (unsigned i = 0; i < request.rank; ++i) {
    const std::uint64_t size = request.dimensions[i];
    const std::uint32_t box = request.box[i];
    const std::uint32_t step = i == 0 ? 1 : request.steps[i];  // the first is ignored
    if (size == 0 || size > std::uint64_t{1} << 32 || box == 0 || box > kMostBox ||
        request.steps[i] == 0 || request.steps[i] > kMostStep) {
      return std::nullopt;
    }
    map.last[i] = static_cast<std::uint32_t>(size - 1);
    map.box[i] = static_cast<std::uint16_t>(box);
    map.step[i] = static_cast<std::uint8_t>(step);
    if (i == 0) continue;
    const std::uint64_t stride = request.strides[i - 1];
    if (stride % kAlignment != 0 || stride >= std::uint64_t{1} << 40) return std::nullopt;
    map.stride[i - 1] = stride;
  }
  if (map.row_bytes() % kAlignment != 0) return std::nullopt;
  if (map.swizzle != 0 && map.row_bytes() > map.swizzle) return std::nullopt;
  return map;
}

}  // namespace warpsim
