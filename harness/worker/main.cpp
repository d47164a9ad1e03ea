// The worker's own program, with which a submission in CUDA C++ is linked.

#include <cstdio>
#include <exception>
#include <string_view>

#include "harness/worker/worker.h"

namespace warpgrade::worker {

namespace {

/// Runs before all initializers of the submission, whose priorities the grader removes
/// (grader/build/compile). None of them runs if this fails: a fault before "opened" in the record
/// is the harness's own.
[[gnu::constructor(102)]] void open_first(int argc, char** argv, char** /*environment*/) {
  if (argc < 2) return;
  const bool is_to_be_locked = argc == 3 && std::string_view(argv[2]) == "locked";
  open_files(argv[1], is_to_be_locked ? Access::locked : Access::gpu);
  begin_submission();
}

}  // namespace

}  // namespace warpgrade::worker

int main(int argc, char** /*argv*/) {
  if (argc != 2 && argc != 3) {
    std::fputs("usage: worker <request> [locked]\n", stderr);
    return 2;
  }
  try {
    return warpgrade::worker::work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "worker: %s\n", error.what());
    return warpgrade::worker::kOurFault;
  }
}
