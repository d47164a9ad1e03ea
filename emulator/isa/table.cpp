#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/isa/native_form.h"
#include "emulator/isa/row.h"

// Each level's table is defined in emulator/isa/handlers/families.cpp, compiled for that level.
#define WARPSIM_DECLARE_LEVEL(level)                               \
  namespace warpsim::level {                                       \
  std::span<const Family> all_families();                          \
  std::span<const std::span<const NativeForm>> all_native_forms(); \
  }
#ifdef WARPSIM_HAS_baseline
WARPSIM_DECLARE_LEVEL(baseline)
#endif
#ifdef WARPSIM_HAS_avx2
WARPSIM_DECLARE_LEVEL(avx2)
#endif
#ifdef WARPSIM_HAS_avx512
WARPSIM_DECLARE_LEVEL(avx512)
#endif
#undef WARPSIM_DECLARE_LEVEL

namespace warpsim {
namespace {

/// What this build has for one instruction set.
struct LevelTable {
  SimdLevel level;
  std::span<const Family> (*families)();
  std::span<const std::span<const NativeForm>> (*native_forms)();
};

constexpr LevelTable kLevels[] = {
#ifdef WARPSIM_HAS_baseline
    {SimdLevel::baseline, baseline::all_families, baseline::all_native_forms},
#endif
#ifdef WARPSIM_HAS_avx2
    {SimdLevel::avx2, avx2::all_families, avx2::all_native_forms},
#endif
#ifdef WARPSIM_HAS_avx512
    {SimdLevel::avx512, avx512::all_families, avx512::all_native_forms},
#endif
};

/// The best one that is not above `level`; the lowest of this build, if all are.
const LevelTable& table_of(SimdLevel level) {
  const LevelTable* best = std::begin(kLevels);
  for (const LevelTable& table : kLevels) {
    if (table.level <= level) best = &table;
  }
  return *best;
}

/// The best level that the processor can run, whether or not this build has it.
SimdLevel processor_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // What gcc may use under -march=x86-64-v3 and -v4.
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                  __builtin_cpu_supports("popcnt");
  if (!v3) return SimdLevel::baseline;
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? SimdLevel::avx512 : SimdLevel::avx2;
#else
  return SimdLevel::baseline;
#endif
}

/// What WARPSIM_SIMD asks for; `best` when it is unset or names no level.
SimdLevel requested_level(SimdLevel best) {
  const char* const text = std::getenv("WARPSIM_SIMD");
  if (text == nullptr) return best;
  const std::string_view name = text;
  if (name == "baseline") return SimdLevel::baseline;
  if (name == "avx2") return SimdLevel::avx2;
  return best;
}

using Rows = std::unordered_map<std::string_view, std::vector<const Row*>>;

const Rows& rows_by_name() {
  static const Rows rows = [] {
    Rows result;
    for (const Family& family : instruction_table(best_simd_level())) {
      for (const Row& row : family) result[row.name].push_back(&row);
    }
    return result;
  }();
  return rows;
}

}  // namespace

std::span<const Row* const> rows_named(std::string_view opcode) {
  const auto rows = rows_by_name().find(opcode);
  if (rows == rows_by_name().end()) return {};
  return rows->second;
}

std::span<const Family> instruction_table(SimdLevel level) {
  return table_of(level).families();
}

const NativeForm* native_form(Handler handler) {
  static const std::unordered_map<Handler, const NativeForm*> forms = [] {
    std::unordered_map<Handler, const NativeForm*> result;
    for (const auto& file : table_of(best_simd_level()).native_forms()) {
      for (const NativeForm& form : file) result.emplace(form.handler, &form);
    }
    return result;
  }();
  const auto found = forms.find(handler);
  return found == forms.end() ? nullptr : found->second;
}

SimdLevel best_simd_level() {
  const SimdLevel processor = processor_level();
  if (std::begin(kLevels)->level > processor) {
    std::fputs(
        "warpsim: this build has only instructions that this processor lacks "
        "(WARPSIM_SIMD_LEVELS=native)\n"
        "  next  build it on this machine: cmake --preset release, cmake --build --preset "
        "release\n",
        stderr);
    std::abort();
  }
  const SimdLevel requested = requested_level(processor);
  return table_of(requested < processor ? requested : processor).level;
}

}  // namespace warpsim
