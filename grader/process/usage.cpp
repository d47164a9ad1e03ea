#include "grader/process/usage.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>

namespace warpgrade {
namespace {

std::atomic<double> g_compiler = 0;
std::atomic<double> g_worker = 0;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

double processor_seconds(const rusage& usage) {
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void count_processor_time(Work work, double seconds) {
  (work == Work::compiler ? g_compiler : g_worker) += seconds;
}

std::string usage_line(double wall_seconds) {
  rusage own = {};
  ::getrusage(RUSAGE_SELF, &own);
  rusage children = {};
  ::getrusage(RUSAGE_CHILDREN, &children);
  const double all = processor_seconds(own) + processor_seconds(children);
  const double overhead = std::max(0.0, all - g_compiler - g_worker);
  return fmt::format(
      "time: {:.1f} s; processor: compiler {:.1f} s, workers {:.1f} s, grader {:.1f} s ({:.1f} %); "
      "memory: {} MiB",
      wall_seconds, g_compiler.load(), g_worker.load(), overhead,
      all > 0 ? 100 * overhead / all : 0, own.ru_maxrss >> 10);
}

}  // namespace warpgrade
