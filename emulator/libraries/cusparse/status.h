#pragma once

#include "emulator/libraries/cusparse/types.h"

namespace warpsim::cusparse {

/// "CUSPARSE_STATUS_INVALID_VALUE"
[[nodiscard]] const char* name_of(Status status);

}  // namespace warpsim::cusparse
