#include "emulator/remote/client/connection.h"

// The exported functions that are marshalled by type. Each is an instance of one template, which
// its ifunc resolver returns to the loader.

// Deprecated functions are functions, too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace warpsim::remote;

namespace {

/// A function's type without its default arguments.
template <class F>
struct PlainType;
template <class R, class... P>
struct PlainType<R(P...)> {
  using Type = R(P...);
};

}  // namespace

#define WARPSIM_RESOLVER(name)                                                    \
  extern "C" {                                                                    \
  static auto entry_of_##name() -> PlainType<decltype(name)>::Type* {             \
    return &DeviceCall<CallNumber::name, PlainType<decltype(name)>::Type>::entry; \
  }                                                                               \
  }
#define WARPSIM_ENTRY(name)                                                 \
  WARPSIM_RESOLVER(name)                                                    \
  extern "C" PlainType<decltype(name)>::Type exported_##name __asm__(#name) \
      __attribute__((ifunc("entry_of_" #name)));
#define WARPSIM_ENTRY_AND_TWIN(name, suffix)                                              \
  WARPSIM_ENTRY(name)                                                                     \
  extern "C" {                                                                            \
  static auto entry_of_##name##suffix() -> PlainType<decltype(name)>::Type* {             \
    return &DeviceCall<CallNumber::name##suffix, PlainType<decltype(name)>::Type>::entry; \
  }                                                                                       \
  }                                                                                       \
  extern "C" PlainType<decltype(name)>::Type twin_of_##name __asm__(#name #suffix)        \
      __attribute__((ifunc("entry_of_" #name #suffix)));

WARPSIM_CALLS(WARPSIM_ENTRY, WARPSIM_ENTRY_AND_TWIN)

namespace warpsim::cudart {

// Declared under their exported names.
#define WARPSIM_ABI_ENTRY(name, ...) \
  WARPSIM_RESOLVER(name)             \
  extern "C" __attribute__((ifunc("entry_of_" #name))) decltype(name) name;
WARPSIM_ABI_CALLS(WARPSIM_ABI_ENTRY)

}  // namespace warpsim::cudart
