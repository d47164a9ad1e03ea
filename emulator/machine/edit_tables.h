#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Words of instructions that are mistaken for each other, and how soon an edit tries it.

namespace warpsim {

/// How soon an edit is tried.
enum Rank : std::uint8_t { kUsual, kOften, kSometimes, kRarely, kSingle };

struct Replacement {
  std::string_view from, to;
  Rank rank;
};

inline constexpr auto kComparisons = std::to_array<Replacement>({
    {"lt", "le", kUsual},     {"le", "lt", kUsual},     {"gt", "ge", kUsual},
    {"ge", "gt", kUsual},     {"lo", "ls", kUsual},     {"ls", "lo", kUsual},
    {"hi", "hs", kUsual},     {"hs", "hi", kUsual},     {"eq", "ne", kOften},
    {"ne", "eq", kOften},     {"lt", "gt", kSometimes}, {"gt", "lt", kSometimes},
    {"le", "ge", kSometimes}, {"ge", "le", kSometimes}, {"lo", "hi", kSometimes},
    {"hi", "lo", kSometimes}, {"lt", "ge", kSometimes}, {"ge", "lt", kSometimes},
    {"le", "gt", kSometimes}, {"gt", "le", kSometimes}, {"leu", "ltu", kUsual},
    {"ltu", "leu", kUsual},   {"geu", "gtu", kUsual},   {"gtu", "geu", kUsual},
    {"ltu", "gtu", kOften},   {"gtu", "ltu", kOften},   {"leu", "geu", kOften},
    {"geu", "leu", kOften},   {"eq", "lt", kRarely},    {"eq", "gt", kRarely},
    {"ne", "lt", kRarely},    {"ne", "gt", kRarely},    {"eq", "le", kRarely},
    {"eq", "ge", kRarely},
});

inline constexpr auto kOpcodes = std::to_array<Replacement>({
    {"add", "sub", kOften},
    {"sub", "add", kOften},
    {"min", "max", kOften},
    {"max", "min", kOften},
    {"and", "or", kSometimes},
    {"or", "and", kSometimes},
    {"xor", "or", kRarely},
    {"or", "xor", kRarely},
    {"div", "rem", kSometimes},
    {"rem", "div", kSometimes},
    {"mul", "add", kSometimes},
});

/// Of atomics, shuffles and conversions.
inline constexpr auto kModifiers = std::to_array<Replacement>({
    {"min", "max", kOften},
    {"max", "min", kOften},
    {"and", "or", kSometimes},
    {"or", "and", kSometimes},
    {"down", "up", kOften},
    {"up", "down", kOften},
    {"bfly", "down", kSometimes},
    {"down", "bfly", kSometimes},
    {"exch", "add", kSometimes},
    {"add", "max", kRarely},
    {"rni", "rzi", kSometimes},
    {"rzi", "rni", kSometimes},
    {"rmi", "rzi", kSometimes},
    {"rzi", "rmi", kSometimes},
    {"rzi", "rpi", kRarely},
    {"rpi", "rmi", kSometimes},
    {"rmi", "rpi", kSometimes},
});

inline constexpr auto kSigns = std::to_array<Replacement>({
    {"s8", "u8", kRarely},
    {"u8", "s8", kRarely},
    {"s16", "u16", kRarely},
    {"u16", "s16", kRarely},
    {"s32", "u32", kRarely},
    {"u32", "s32", kRarely},
});

inline constexpr auto kSpecials = std::to_array<Replacement>({
    {"tid.x", "tid.y", kSometimes},
    {"tid.y", "tid.x", kSometimes},
    {"ctaid.x", "ctaid.y", kSometimes},
    {"ctaid.y", "ctaid.x", kSometimes},
    {"ntid.x", "ntid.y", kSometimes},
    {"ntid.y", "ntid.x", kSometimes},
    {"tid.x", "ctaid.x", kSometimes},
    {"ctaid.x", "tid.x", kSometimes},
    {"ntid.x", "nctaid.x", kSometimes},
    {"nctaid.x", "ntid.x", kSometimes},
    {"nctaid.x", "nctaid.y", kRarely},
    {"nctaid.y", "nctaid.x", kRarely},
    {"tid.y", "ctaid.y", kRarely},
    {"ctaid.y", "tid.y", kRarely},
    {"ntid.y", "nctaid.y", kRarely},
    {"tid.z", "tid.y", kRarely},
    {"ctaid.z", "ctaid.y", kRarely},
    {"ctaid.x", "ctaid.z", kRarely},
});

}  // namespace warpsim
