#include "grader/core/version.h"

namespace warpgrade {

const char* const kVersion = WARPGRADE_VERSION;

}  // namespace warpgrade
