#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/record/evidence/measurement.h"
#include "grader/record/grade/grade.h"
#include "grader/run/device/device.h"
#include "harness/case/record.h"
#include "harness/lab/lab.h"
#include "harness/timing/statistics.h"

namespace warpgrade {

class LabSession;

/// Times the submission and the reference in turns, verifies every output of the submission.
///
/// @param secret   the course's; all submissions get the same timed inputs
/// @param scratch  a folder for this submission alone
/// @throws EnvironmentError, Interrupted
[[nodiscard]] Measurement measure(LabSession& session, const BuildResult& submission,
                                  const std::string& secret, const std::filesystem::path& scratch);

/// The time that counts: the events', or the host's if that is much longer.
[[nodiscard]] double counted_ms(const Record::TimedCall& call, bool host_clock_counts);

/// Flags a submission's calls by two clocks and the card's roofline.
/// @param bytes  of all inputs and outputs
[[nodiscard]] std::vector<IntegrityFlag> timing_flags(
    const std::vector<Record::TimedCall>& submission, bool host_clock_counts, std::uint64_t bytes,
    const std::optional<CardPeaks>& peaks);

/// Whether the points could differ from the estimate's: the interval contains a ratio at which they
/// change.
[[nodiscard]] bool is_undecided(const RatioEstimate& estimate, std::span<const Tier> tiers);

/// Whether the reference was significantly slower beside the submission than alone.
[[nodiscard]] bool is_disturbed(const std::vector<double>& beside,
                                const std::vector<double>& alone);

/// The reference's times in one round, medians in ms.
struct ReferenceRound {
  double beside_ms = 0;
  double alone_ms = 0;
  bool disturbed = false;
};

/// Flags a reference that was disturbed in at least a third of the rounds.
[[nodiscard]] std::optional<IntegrityFlag> disturbance_flag(
    const std::vector<ReferenceRound>& rounds);

}  // namespace warpgrade
