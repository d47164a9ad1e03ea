#pragma once

#include <cstdint>

#include "emulator/cudart/abi_calls.h"
#include "emulator/remote/calls.h"
#include "emulator/remote/special_calls.h"

// The number of each call in a message. Included for one version of CUDA at a time.

namespace warpsim::remote {

enum class CallNumber : std::uint32_t {
#define WARPSIM_NUMBER(name, ...) name,
#define WARPSIM_NUMBER_OF_TWIN(name, suffix) name, name##suffix,
  WARPSIM_CALLS(WARPSIM_NUMBER, WARPSIM_NUMBER_OF_TWIN) WARPSIM_ABI_CALLS(WARPSIM_NUMBER)
      WARPSIM_SPECIAL_CALLS(WARPSIM_NUMBER)
#undef WARPSIM_NUMBER
#undef WARPSIM_NUMBER_OF_TWIN
          count
};

}  // namespace warpsim::remote
