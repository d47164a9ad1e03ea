#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <string>

namespace warpgrade {

/// What the processors of this machine were busy with.
enum class Work : std::uint8_t { compiler, worker };

/// User and system time together.
[[nodiscard]] double processor_seconds(const rusage& usage);

/// Adds processor time of a compiler or a worker. Thread-safe.
void count_processor_time(Work work, double seconds);

/// One line about this process so far: wall clock, processor time of the compiler, of the workers
/// and of everything else (the grader itself, linking), the share of the latter, and the grader's
/// peak memory. @param wall_seconds  since the start of the run
[[nodiscard]] std::string usage_line(double wall_seconds);

}  // namespace warpgrade
