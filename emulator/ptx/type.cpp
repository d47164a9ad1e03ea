#include "emulator/ptx/type.h"

#include <array>
#include <utility>

namespace warpsim::ptx {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 29> kTypeNames = {
    "none",   "pred", "b8",  "b16",   "b32", "b64",   "b128",  "u8",     "u16",   "u32",
    "u64",    "s8",   "s16", "s32",   "s64", "u16x2", "s16x2", "f16",    "f16x2", "bf16",
    "bf16x2", "tf32", "f32", "f32x2", "f64", "e4m3",  "e5m2",  "e4m3x2", "e5m2x2"};
static_assert(kTypeNames.size() == static_cast<std::size_t>(Type::e5m2x2) + 1);

// Index 0 is `generic`, which has no spelling in PTX.
constexpr std::array<std::string_view, 8> kSpaceNames = {"generic", "reg",   "sreg",  "const",
                                                         "global",  "local", "param", "shared"};
static_assert(kSpaceNames.size() == static_cast<std::size_t>(Space::shared) + 1);

template <class Names>
constexpr std::size_t position(const Names& names, std::string_view text) {
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i] == text) return i;
  }
  return 0;
}

}  // namespace

std::optional<Type> parse_type(std::string_view text) {
  // A quick test, because this is called for every modifier and most are not types: all types but
  // one end in a digit.
  const bool digit = !text.empty() && text.back() >= '0' && text.back() <= '9';
  if (!digit && text != name(Type::pred)) return std::nullopt;
  const std::size_t i = position(kTypeNames, text);
  if (i == 0) return std::nullopt;
  return static_cast<Type>(i);
}

std::string_view name(Type type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

std::optional<Space> parse_space(std::string_view text) {
  // Sub-spaces map to their space; the spelling distinguishes them.
  if (text == "shared::cta" || text == "shared::cluster") return Space::shared;
  if (text == "param::entry" || text == "param::func") return Space::param;
  const std::size_t i = position(kSpaceNames, text);
  if (i == 0) return std::nullopt;
  return static_cast<Space>(i);
}

std::string_view name(Space space) {
  return kSpaceNames[static_cast<std::size_t>(space)];
}

}  // namespace warpsim::ptx
