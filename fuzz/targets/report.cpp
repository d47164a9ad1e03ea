#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/input.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/run/cost_model/line_times.h"

// The emulator's report, in a folder that the process which ran the submission could write.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("fuzz-report-" + std::to_string(::getpid()));
  std::ofstream(file, std::ios::binary) << fuzz::text_of(data, size);
  if (auto report = warpgrade::read_emulator_report(file, "/tmp/build")) {
    warpgrade::add_line_times(*report);
    (void)report->find(warpsim::FindingKind::deadlock);
    (void)report->total(warpgrade::kTimeMetric);
  }
  std::filesystem::remove(file);
  return 0;
}
