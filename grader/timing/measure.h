#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/device/device.h"
#include "grader/evidence/measurement.h"
#include "grader/grade_record/grade.h"
#include "harness/case/record.h"
#include "harness/lab/lab.h"
#include "harness/timing/statistics.h"

namespace warpgrade {

class LabSession;

/// Times the submission and the reference in turns, verifies every output of the submission.
///
/// @param secret   the course's; the same timed inputs serve all of its submissions
/// @param scratch  a folder of this submission's own
/// @throws EnvironmentError, Interrupted
[[nodiscard]] Measurement measure(LabSession& session, const BuildResult& submission,
                                  const std::string& secret, const std::filesystem::path& scratch);

/// The time that counts: the events', or the host's where that saw much more.
[[nodiscard]] double counted_ms(const Record::TimedCall& call, bool host_clock_counts);

/// What two clocks and the card's roof say about a submission's calls.
/// @param bytes  of all inputs and outputs
[[nodiscard]] std::vector<IntegrityFlag> timing_flags(
    const std::vector<Record::TimedCall>& submission, bool host_clock_counts, std::uint64_t bytes,
    const std::optional<CardPeaks>& peaks);

/// Whether points could be others than the estimate's: the interval holds the place beside a tier's
/// border where they change.
[[nodiscard]] bool is_undecided(const RatioEstimate& estimate, std::span<const Tier> tiers);

/// Whether the reference was slower beside the submission than alone, more than chance does.
[[nodiscard]] bool is_disturbed(const std::vector<double>& beside,
                                const std::vector<double>& alone);

/// What the reference took in one round, medians in ms.
struct ReferenceRound {
  double beside_ms = 0;
  double alone_ms = 0;
  bool disturbed = false;
};

/// Tells a person of a reference that was disturbed in a third of the rounds or more.
[[nodiscard]] std::optional<IntegrityFlag> disturbance_flag(
    const std::vector<ReferenceRound>& rounds);

}  // namespace warpgrade
