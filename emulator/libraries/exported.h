#pragma once

#include <algorithm>
#include <cstddef>

#include "emulator/libraries/runtime_entry.h"

// How libraries export functions: written once as templates, under the names of all their types.

namespace warpsim::libraries {

/// A name as a template's argument.
template <std::size_t kSize>
struct Name {
  char text[kSize] = {};
  constexpr Name(const char (&literal)[kSize]) { std::copy_n(literal, kSize, text); }
};

/// The function that a program calls: `kFunction` without its first parameter, the caller.
template <Name kName, auto kFunction>
struct Exported;
template <Name kName, class Result, class... P, Result (*kFunction)(const Caller&, P...)>
struct Exported<kName, kFunction> {
  using Type = Result(P...);
  static Result call(P... arguments) {
    return kFunction({.name = kName.text, .return_address = __builtin_return_address(0)},
                     arguments...);
  }
};

}  // namespace warpsim::libraries

/// Defines the exported function `symbol`, which programs know as `name`. Its type is the
/// template's, so a resolver gives the loader its address.
#define WARPSIM_EXPORT(symbol, name, ...)                                                      \
  extern "C" {                                                                                 \
  static auto form_of_##symbol() -> warpsim::libraries::Exported<#name, &__VA_ARGS__>::Type* { \
    return &warpsim::libraries::Exported<#name, &__VA_ARGS__>::call;                           \
  }                                                                                            \
  warpsim::libraries::Exported<#name, &__VA_ARGS__>::Type symbol                               \
      __attribute__((ifunc("form_of_" #symbol)));                                              \
  }
