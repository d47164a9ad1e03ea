#include "fuzz/input.h"
#include "grader/record/counters/card_counts.h"
#include "grader/record/counters/ncu_table.h"
#include "grader/run/gpu_profile/sanitizer_log.h"

// What ncu and compute-sanitizer wrote, in a folder that the program under them could write.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  if (const auto launches = warpgrade::read_profile(text)) {
    const auto kernels = warpgrade::kernels_of(*launches);
    (void)warpgrade::work_of(kernels);
    fuzz::require(warpgrade::compare_counts(kernels, kernels).size() <= kernels.size());
  }
  const auto log = warpgrade::read_sanitizer_log(text, "memcheck", "/tmp/build");
  fuzz::require(log.findings.size() <= 100);
  return 0;
}
