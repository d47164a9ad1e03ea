#include "grader/run/worker/run_folder.h"

#include "harness/case/request.h"

namespace warpgrade {

std::filesystem::path new_run_folder(const std::filesystem::path& scratch) {
  return scratch / make_nonce() / "run";
}

}  // namespace warpgrade
