#include "grader/run/gpu_timing/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <set>
#include <system_error>

#include "grader/core/files.h"
#include "grader/core/parallel.h"
#include "grader/core/remove_tree.h"
#include "grader/run/device/card.h"
#include "grader/run/device/gpu_lock.h"
#include "grader/run/gpu_timing/timed_process.h"
#include "grader/run/session/lab_session.h"
#include "harness/timing/statistics.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// A round is a pair of simultaneous processes. Processes of the same program differ (for example
/// in their memory addresses), so a single round would underestimate the uncertainty.
constexpr std::size_t kLeastRounds = 6;
constexpr std::size_t kManyRounds = 16;  // while the interval is wide
constexpr std::size_t kMostRounds = 24;  // while it could change the points
constexpr double kNarrow = 0.01;
constexpr std::size_t kPairs = 21;  // per round: more rounds tell more than more pairs per round
/// Calls that take this long vary less, so fewer are enough.
constexpr double kLongMs = 5;
constexpr std::size_t kLongPairs = 7;
/// The outputs of so many randomly chosen calls per round are compared, besides those of the very
/// first call; the submission cannot predict which.
constexpr std::size_t kMostSaved = 4;
/// At most this many bytes per program, but at least one call, because writing and comparing take
/// longer than the calls.
constexpr std::uint64_t kSavedBytes = std::uint64_t{64} << 20;
constexpr std::size_t kEmulatedPairs = 3;  // modelled times do not vary
constexpr std::size_t kAlone = 5;  // calls of the reference after the submission has ended
/// After so many pairs, a program that is too slow for any points is not timed further.
constexpr std::size_t kHopelessPairs = 3;
constexpr double kHopeless = 2;  // times the last tier's ratio

/// The host's clock counts if it exceeds the events' time by this much: launching and waiting take
/// about ten microseconds.
constexpr double kClockShare = 0.05;
constexpr double kClockSlackMs = 0.05;
constexpr double kDisagreeShare = 0.1;  // from here on flagged
constexpr double kDisagreeMs = 0.1;
constexpr double kRoofShare = 0.8;  // of the minimum time for moving all bytes once
constexpr double kDisturbed = 1.05;
/// A reference that works alone may fail so often beside the submission before the submission is to
/// blame: once can be the machine.
constexpr std::size_t kMostFailures = 1;
/// One round in sixteen may be slower by chance; interference by a submission is more frequent.
constexpr double kDisturbedRounds = 1.0 / 3;

/// Random data for a call's inputs: first elements, or orders of parts.
Windows draw(const TimedInputs& inputs, bool on_gpu, std::random_device& random) {
  Windows windows;
  for (const auto& [name, file] : inputs.files) {
    const bool mixes = on_gpu && file.mixes;
    const std::uint64_t last = mixes ? kMixedWindow - 1 : file.windows - 1;
    const std::uint64_t drawn = std::uniform_int_distribution<std::uint64_t>(0, last)(random);
    windows.emplace(name, mixes ? kMixedWindow | drawn : drawn);
  }
  return windows;
}

/// Numbers of `count` calls after the first.
std::set<std::size_t> draw_calls(std::size_t count, std::size_t calls, std::random_device& random) {
  std::set<std::size_t> numbers;
  while (numbers.size() < std::min(count, calls - 1)) {
    numbers.insert(std::uniform_int_distribution<std::size_t>(1, calls - 1)(random));
  }
  return numbers;
}

std::size_t saved_calls(const TimedInputs& inputs) {
  std::uint64_t bytes = 1;
  for (const auto& [name, expected] : inputs.expected) {
    bytes += expected.count() * size_of(expected.type);
  }
  return std::clamp<std::size_t>(kSavedBytes / bytes, 1, kMostSaved);
}

/// How a program of timed calls ended, if not normally.
std::string end_of(const TimedProcess& process) {
  const Record record = process.record();
  if (const auto& error = record.launch_error ? record.launch_error : record.sync_error) {
    return fmt::format("A CUDA error was pending after a timed call: {} ({}).", error->name,
                       error->text);
  }
  if (record.harness_fault) {
    return fmt::format("The harness could not time it: {}.", *record.harness_fault);
  }
  ProcessLimits limits;
  limits.wall = std::chrono::seconds(120);
  return fmt::format("The program {} while it was timed.", describe_end(process.result(), limits));
}

bool is_ours(const TimedProcess& process) {
  return process.record().harness_fault.has_value() ||
         process.result().end == ProcessEnd::not_started;
}

std::string size_words(const std::map<std::string, std::int64_t>& dims) {
  std::string words;
  for (const auto& [name, value] : dims) {
    words += fmt::format("{}{} = {}", words.empty() ? "" : ", ", name, value);
  }
  return words;
}

/// The processor for functions on host pointers in a round, the same for both programs, because
/// other tenants of a host slow down single processors for seconds. Not the first one, which often
/// handles device interrupts.
unsigned processor_of(std::size_t round) {
  return available_processor(round + 1);
}

/// Whether the reference works when no submission's process exists.
bool works_alone(LabSession& session, const TimedInputs& inputs, const BuildResult& reference,
                 const fs::path& folder) {
  TimedProcess process(reference.program, inputs, folder, session.device(), processor_of(0));
  process.warm_up({});
  const bool worked = process.wait_until_ready() && process.run({}).has_value();
  process.stop();
  return worked && process.record().complete();
}

/// One measurement, from the two programs to a Timing.
class Duel {
 public:
  Duel(LabSession& session, const TimedInputs& inputs, const BuildResult& submission,
       const BuildResult& reference, std::size_t round, const fs::path& scratch)
      : lab_(session.lab()),
        round_(round),
        inputs_(inputs),
        on_gpu_(session.device().kind == DeviceKind::cuda),
        reference_(reference.program, inputs, scratch / "reference", session.device(),
                   processor_of(round)),
        submission_(submission.program, inputs, scratch / "submission", session.device(),
                    processor_of(round)) {}

  /// Makes all calls. Their outputs are verified afterwards.
  Measurement run() {
    Measurement found;
    if (!warm_up(found) || !alternate(found)) return found;
    submission_.stop();
    if (!submission_.record().complete()) {
      found.problem = end_of(submission_);
      return found;
    }
    run_alone();
    reference_.dismiss();
    return found;
  }

  /// Verifies saved outputs, after the last time was taken.
  void verify(Measurement& found) {
    reference_.stop();
    std::vector<std::string> wrong(saved_.size());
    std::string reference_wrong;
    parallel_for(saved_.size(), available_processors(), [&](std::size_t i) {
      const std::size_t number = saved_[i];
      if (number == 0) {
        wrong[0] = wrong_by_golden(inputs_, submission_.prepared(), 0).value_or("");
        reference_wrong = wrong_by_golden(inputs_, reference_.prepared(), 0).value_or("");
      } else {
        wrong[i] =
            wrong_by_reference(inputs_, submission_.prepared(), reference_.prepared(), number)
                .value_or("");
      }
      remove_outputs(inputs_, submission_.prepared(), number);
      remove_outputs(inputs_, reference_.prepared(), number);
    });
    report(wrong, reference_wrong, found);
  }

  [[nodiscard]] const std::vector<Record::TimedCall>& submission_calls() const { return calls_; }
  /// The reference has ended by itself, before it was told to.
  [[nodiscard]] bool reference_failed() const { return reference_failed_; }

  /// The reference's times, beside the submission and alone.
  [[nodiscard]] ReferenceRound reference() const {
    const std::vector<double> beside = reference_times();
    return {.beside_ms = beside.empty() ? 0 : quantile(beside, 0.5),
            .alone_ms = alone_.empty() ? 0 : quantile(alone_, 0.5),
            .disturbed = is_disturbed(beside, alone_)};
  }

  /// The round's pairs of verified calls.
  [[nodiscard]] std::vector<TimedPair> pairs() const {
    std::vector<TimedPair> pairs = pairs_;
    const ReferenceRound seen = reference();
    for (TimedPair& pair : pairs) {
      pair.round = round_;
      if (seen.disturbed) pair.reference_ms = seen.alone_ms;
    }
    return pairs;
  }

 private:
  bool warm_up(Measurement& found) {
    // Both create their contexts at the same time, and warm up one after the other.
    reference_.warm_up(draw(inputs_, on_gpu_, random_));
    const bool reference_ready = reference_.wait_until_ready();
    submission_.warm_up(draw(inputs_, on_gpu_, random_));
    const bool submission_ready = submission_.wait_until_ready();
    return note_end(submission_ready, reference_ready, found);
  }

  /// False if one of them has ended, with the reason in `found`.
  bool note_end(bool submission_lives, bool reference_lives, Measurement& found) {
    if (submission_lives && reference_lives) return true;
    submission_.stop();
    reference_.stop();
    reference_failed_ = !reference_lives;
    if (!reference_lives) {
      found.fault = "The reference: " + end_of(reference_);
    } else if (is_ours(submission_)) {
      found.fault = end_of(submission_);
    } else {
      found.problem = end_of(submission_);
    }
    return false;
  }

  bool alternate(Measurement& found) {
    while (wants_more()) {
      // The first call's inputs have known outputs in float64.
      const bool known = round_ == 0 && pairs_.empty();
      const Windows windows = known ? Windows{} : draw(inputs_, on_gpu_, random_);
      // The order alternates, too.
      std::optional<Record::TimedCall> own;
      std::optional<Record::TimedCall> other;
      if (pairs_.size() % 2 == 0) {
        own = submission_.run(windows);
        if (own) other = reference_.run(windows);
      } else {
        other = reference_.run(windows);
        if (other) own = submission_.run(windows);
      }
      const bool submission_failed = !own && (other || pairs_.size() % 2 == 0);
      if (!own || !other) return note_end(!submission_failed, submission_failed, found);
      const std::size_t number = calls_.size();
      if (number == 0) {
        const bool is_long = counted_ms(*own, on_gpu_) > kLongMs;
        count_ = !on_gpu_ ? kEmulatedPairs : is_long ? kLongPairs : kPairs;
        to_save_ = draw_calls(saved_calls(inputs_), count_, random_);
        if (round_ == 0) to_save_.insert(0);
      }
      if (to_save_.contains(number)) {
        saved_.push_back(number);
        submission_.save();
        reference_.save();
        const bool own_saved = submission_.wait_until_saved();
        const bool other_saved = reference_.wait_until_saved();
        if (!own_saved || !other_saved) return note_end(own_saved, other_saved, found);
      }
      calls_.push_back(*own);
      pairs_.push_back({.submission_ms = counted_ms(*own, on_gpu_),
                        .reference_ms = counted_ms(*other, on_gpu_)});
    }
    return true;
  }

  [[nodiscard]] bool wants_more() const {
    const std::size_t count = pairs_.size();
    if (on_gpu_ && count == kHopelessPairs && !lab_.tiers.empty() &&
        estimate_ratio(pairs_).interval.low > kHopeless * lab_.tiers.back().ratio) {
      return false;
    }
    return count == 0 || count < count_;
  }

  void run_alone() {
    for (std::size_t i = 0; i < kAlone; ++i) {
      const auto call = reference_.run(draw(inputs_, on_gpu_, random_));
      if (!call) return;
      alone_.push_back(counted_ms(*call, on_gpu_));
    }
  }

  /// Reports the comparison; `wrong` has a sentence, or an empty one, for each saved call.
  void report(const std::vector<std::string>& wrong, const std::string& reference_wrong,
              Measurement& found) const {
    if (!reference_wrong.empty()) {
      found.fault = fmt::format("The reference is wrong for {}: {}",
                                size_words(inputs_.spec.data.dims), reference_wrong);
      return;
    }
    const auto bad = [](const std::string& text) { return !text.empty(); };
    const auto first = std::find_if(wrong.begin(), wrong.end(), bad);
    if (first == wrong.end()) return;
    const auto count = std::count_if(wrong.begin(), wrong.end(), bad);
    found.problem =
        fmt::format("Wrong during timing, for {}: {}", size_words(inputs_.spec.data.dims), *first);
    if (wrong.front().empty()) {
      found.flags.push_back(
          {.kind = "wrong-when-repeated",
           .message = "The first timed call is correct but a later one is not.",
           .evidence = fmt::format("{} of {} compared calls, each with different inputs: {}", count,
                                   wrong.size(), *first)});
    }
  }

  [[nodiscard]] std::vector<double> reference_times() const {
    std::vector<double> times;
    for (const TimedPair& pair : pairs_) times.push_back(pair.reference_ms);
    return times;
  }

  const Lab& lab_;
  std::size_t round_;
  const TimedInputs& inputs_;
  bool on_gpu_;
  std::random_device random_;
  TimedProcess reference_;
  TimedProcess submission_;
  std::vector<Record::TimedCall> calls_;  // the submission's
  std::vector<TimedPair> pairs_;
  std::size_t count_ = 0;  // of the round's pairs; known after the first
  std::set<std::size_t> to_save_;  // calls whose outputs are to be saved
  std::vector<std::size_t> saved_;  // calls whose outputs were saved
  std::vector<double> alone_;
  bool reference_failed_ = false;
};

Timing timing_from(const std::vector<TimedPair>& pairs, const TimedInputs& inputs) {
  const RatioEstimate estimate = estimate_ratio(pairs);
  MeasuredRuns runs{.submission_ms = {},
                    .reference_ms = {},
                    .ratio_low = estimate.interval.low,
                    .ratio_high = estimate.interval.high};
  for (const TimedPair& pair : pairs) {
    runs.submission_ms.push_back(pair.submission_ms);
    runs.reference_ms.push_back(pair.reference_ms);
    runs.rounds.resize(pair.round + 1);
    ++runs.rounds.back();
  }
  Timing timing{.name = inputs.spec.name,
                .source = "measured",
                .submission_ms = estimate.submission_ms,
                .reference_ms = estimate.reference_ms,
                .ratio = estimate.ratio};
  timing.runs = std::move(runs);
  timing.shape = inputs.spec.data.dims;
  for (const Tier& tier : inputs.lab->tiers) {
    timing.tiers.push_back({.ratio = tier.ratio, .points = tier.points});
  }
  return timing;
}

bool wants_round(std::size_t rounds, const std::vector<TimedPair>& pairs, const Lab& lab,
                 bool on_gpu) {
  if (!on_gpu || pairs.size() <= kHopelessPairs) return false;
  if (rounds < kLeastRounds) return true;
  const RatioEstimate estimate = estimate_ratio(pairs);
  return (rounds < kManyRounds && estimate.width() > kNarrow) ||
         (rounds < kMostRounds && is_undecided(estimate, lab.tiers));
}

void add_flag(std::vector<IntegrityFlag>& flags, const IntegrityFlag& flag) {
  const auto same = [&](const IntegrityFlag& f) { return f.kind == flag.kind; };
  if (std::none_of(flags.begin(), flags.end(), same)) flags.push_back(flag);
}

}  // namespace

double counted_ms(const Record::TimedCall& call, bool host_clock_counts) {
  const bool host_saw_more = call.host_ms > call.event_ms * (1 + kClockShare) + kClockSlackMs;
  return host_clock_counts && host_saw_more ? call.host_ms : call.event_ms;
}

std::vector<IntegrityFlag> timing_flags(const std::vector<Record::TimedCall>& submission,
                                        bool host_clock_counts, std::uint64_t bytes,
                                        const std::optional<CardPeaks>& peaks) {
  std::vector<IntegrityFlag> flags;
  std::vector<double> events;
  std::vector<double> counted;
  std::vector<double> hosts;
  for (const Record::TimedCall& call : submission) {
    events.push_back(call.event_ms);
    hosts.push_back(call.host_ms);
    counted.push_back(counted_ms(call, host_clock_counts));
  }
  const double event = quantile(events, 0.5);
  const double host = quantile(hosts, 0.5);
  if (host_clock_counts && host > event * (1 + kDisagreeShare) + kDisagreeMs) {
    flags.push_back(
        {.kind = "clocks-disagree",
         .message = "The host clock measured more time than the device events: work continued "
                    "after the function returned, on another stream. The larger time counts.",
         .evidence = fmt::format("medians of {} calls: {:.4g} ms between the events, {:.4g} ms "
                                 "until the device was idle",
                                 events.size(), event, host)});
  }
  if (peaks && peaks->copy_bytes_per_second > 0) {
    const double least = 1e3 * static_cast<double>(bytes) / peaks->copy_bytes_per_second;
    if (quantile(counted, 0.5) < kRoofShare * least) {
      flags.push_back(
          {.kind = "faster-than-possible",
           .message = "It is faster than the card can read the inputs and write the outputs once.",
           .evidence = fmt::format("{:.4g} ms for {} bytes; at the measured {:.4g} GB/s they take "
                                   "{:.4g} ms",
                                   quantile(counted, 0.5), bytes,
                                   peaks->copy_bytes_per_second / 1e9, least)});
    }
  }
  return flags;
}

bool is_disturbed(const std::vector<double>& beside, const std::vector<double>& alone) {
  // Quartiles, because single calls vary too much.
  return !alone.empty() && !beside.empty() &&
         quantile(beside, 0.25) > kDisturbed * quantile(alone, 0.75);
}

std::optional<IntegrityFlag> disturbance_flag(const std::vector<ReferenceRound>& rounds) {
  const auto disturbed = std::count_if(rounds.begin(), rounds.end(),
                                       [](const ReferenceRound& round) { return round.disturbed; });
  if (disturbed == 0 ||
      static_cast<double>(disturbed) < kDisturbedRounds * static_cast<double>(rounds.size())) {
    return std::nullopt;
  }
  const auto first = std::find_if(rounds.begin(), rounds.end(),
                                  [](const ReferenceRound& round) { return round.disturbed; });
  return IntegrityFlag{
      .kind = "reference-disturbed",
      .message = "The reference was slower while the submission's process existed.",
      .evidence = fmt::format("in {} of {} rounds; in the first of them a median of {:.4g} ms "
                              "beside it, {:.4g} ms alone; only runs of the reference alone count",
                              disturbed, rounds.size(), first->beside_ms, first->alone_ms)};
}

bool is_undecided(const RatioEstimate& estimate, std::span<const Tier> tiers) {
  const auto decides = [](double ratio) { return ratio / (1 + kTierTolerance); };
  return std::any_of(tiers.begin(), tiers.end(), [&](const Tier& tier) {
    return decides(estimate.interval.low) <= tier.ratio &&
           tier.ratio < decides(estimate.interval.high);
  });
}

Measurement measure(LabSession& session, const BuildResult& submission, const std::string& secret,
                    const fs::path& scratch) {
  const BuildResult* reference = session.reference_program();
  if (reference == nullptr) {
    return {.timing = std::nullopt,
            .problem = {},
            .fault = "The reference solution is not available on this machine.",
            .flags = {}};
  }
  const TimedInputs& inputs = session.timed_inputs(secret);
  const Device& device = session.device();
  std::optional<FileLock> gpu;
  std::optional<CardRecord> card;
  if (device.kind == DeviceKind::cuda) {
    gpu.emplace(lock_gpu(device.uuid));
    card = CardRecord{.name = device.name,
                      .uuid = device.uuid,
                      .driver = driver_version(),
                      .before = std::nullopt,
                      .after = std::nullopt,
                      .peaks = session.card_peaks()};
    card->before = read_card_state(device.uuid);
  }
  const fs::path folder = scratch / "timed";
  const bool on_gpu = device.kind == DeviceKind::cuda;
  Measurement found;
  std::vector<TimedPair> pairs;
  std::vector<Record::TimedCall> calls;
  std::vector<IntegrityFlag> flags;
  std::vector<ReferenceRound> reference_rounds;
  std::size_t failures = 0;  // of the reference, beside the submission only
  const auto start = [&](std::size_t round) {
    return std::make_unique<Duel>(session, inputs, submission, *reference, round,
                                  folder / fmt::format("{}-{}", round, failures));
  };
  std::unique_ptr<Duel> next = start(0);
  for (std::size_t round = 0; next != nullptr; ++round) {
    const std::unique_ptr<Duel> duel = std::move(next);
    found = duel->run();
    if (duel->reference_failed() &&
        works_alone(session, inputs, *reference, folder / fmt::format("alone-{}", failures))) {
      if (++failures <= kMostFailures) {
        next = start(round--);  // the same round again
        continue;
      }
      found.problem = "The reference fails while the submission's process exists, and works alone.";
      flags.push_back({.kind = "reference-disturbed",
                       .message = found.problem,
                       .evidence = fmt::format("{} times; {}", failures, found.fault)});
      found.fault.clear();
    }
    if (!found.problem.empty() || !found.fault.empty()) break;
    reference_rounds.push_back(duel->reference());
    const std::vector<TimedPair> more = duel->pairs();
    pairs.insert(pairs.end(), more.begin(), more.end());
    calls.insert(calls.end(), duel->submission_calls().begin(), duel->submission_calls().end());
    // The next two create their contexts while these outputs are compared; nothing is being timed.
    if (wants_round(round + 1, pairs, session.lab(), on_gpu)) next = start(round + 1);
    duel->verify(found);
    flags.insert(flags.end(), found.flags.begin(), found.flags.end());
    if (!found.problem.empty() || !found.fault.empty()) break;
  }
  next.reset();  // ends its processes, before their folders are removed
  if (found.problem.empty() && found.fault.empty()) {
    found.timing = timing_from(pairs, inputs);
    const auto seen = timing_flags(calls, on_gpu, inputs.bytes, card ? card->peaks : std::nullopt);
    flags.insert(flags.end(), seen.begin(), seen.end());
    if (const auto flag = disturbance_flag(reference_rounds)) flags.push_back(*flag);
  }
  found.flags.clear();
  for (const IntegrityFlag& flag : flags) add_flag(found.flags, flag);
  if (card) card->after = read_card_state(device.uuid);
  if (found.timing) found.timing->card = std::move(card);
  remove_tree(folder);
  return found;
}

}  // namespace warpgrade
