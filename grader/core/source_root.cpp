#include "grader/core/source_root.h"

namespace warpgrade {

const char* const kSourceRoot = WARPGRADE_SOURCE_ROOT;

}  // namespace warpgrade
