#include "grader/run/provenance/host_computation.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grader/core/remove_tree.h"
#include "grader/core/sha256.h"
#include "grader/run/provenance/data_origin.h"
#include "grader/run/provenance/telling_outputs.h"
#include "grader/run/worker/decoy_run.h"
#include "grader/run/worker/run_folder.h"
#include "grader/run/worker/undisturbed.h"
#include "grader/run/worker/worker_inputs.h"
#include "harness/case/decoy.h"
#include "harness/case/replay.h"
#include "harness/case/request.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The result of repeating a case.
struct Repetition {
  enum class Verdict : std::uint8_t {
    device,  // the outputs depend on the kernels' inputs
    host,  // the host computes them
    unclear,  // needs manual review
    unknown,  // no conclusion
  };
  Verdict verdict = Verdict::unknown;
  std::string evidence;  // for manual review; begins in lower case
  bool just_wrong = false;  // unclear, and no output depends on the host's inputs
  bool by_replay = false;
  std::string other_launches;  // different from the case's own run; empty: the same
};

std::string describe(const DecoyFits& fits) {
  std::string text = fmt::format(
      "of {} elements, {} are consistent with the device's data, {} with the host's, {} with "
      "neither",
      fits.telling() + fits.both, fits.device, fits.host, fits.neither);
  if (fits.both > 0) {
    text += fmt::format(", {} with both", fits.both);
  }
  return text;
}

std::string describe(const CaseReplay& replay) {
  return fmt::format(
      "done again by the device alone, of {} elements {} are right for the inputs of then, {} for "
      "those of the run, {} for neither; {} of the device's data had come to the host in between",
      replay.fits->telling() + replay.fits->both, replay.fits->device, replay.fits->host,
      replay.fits->neither, plural(replay.host_reads, "byte"));
}

std::string extent(const std::vector<std::uint64_t>& sizes) {
  return fmt::format("({})", fmt::join(sizes, ","));
}

std::string describe(const KernelReport& kernel) {
  return fmt::format("{} launched {} with grid {} and block {}", kernel.name,
                     plural(kernel.launches, "time"), extent(kernel.grid), extent(kernel.block));
}

/// The first kernel whose launches differ between the runs.
std::string first_difference(const std::vector<KernelReport>& usual,
                             const std::vector<KernelReport>& decoy) {
  const std::size_t most = std::max(usual.size(), decoy.size());
  for (std::size_t i = 0; i < most; ++i) {
    const std::string as_usual = i < usual.size() ? describe(usual[i]) : "no more kernels";
    const std::string with_decoy = i < decoy.size() ? describe(decoy[i]) : "no more kernels";
    if (as_usual != with_decoy) {
      return fmt::format("{}; with other data on the device {}", as_usual, with_decoy);
    }
  }
  return "";
}

class Repetitions {
 public:
  Repetitions(LabSession& session, const BuildResult& build, const Secret& secret, std::string draw,
              const Replays& replays, fs::path scratch, bool often_wrong)
      : session_(session),
        build_(build),
        secret_(secret),
        draw_(std::move(draw)),
        replays_(replays),
        scratch_(std::move(scratch)),
        often_wrong_(often_wrong),
        device_(session.emulator()),
        golden_(session.golden()) {
    device_.sandbox = session.device().sandbox;
  }

  /// @param only_replay  a replay has shown that the host takes part: a decoy run, which it passed,
  ///   proves nothing
  [[nodiscard]] Repetition repeat(const CaseOutcome& outcome, bool only_replay) const {
    const std::shared_ptr<const CaseData> data = session_.data(*outcome.spec, secret_);
    // What kernels get is made of the inputs by the host, so other inputs do not reach them.
    if (!session_.lab().host_work.empty()) return run_idle(data);
    const CaseReplay* replay = replays_.find(outcome.report.name);
    if (replay != nullptr) {
      if (auto decided = decide(*data, *replay, only_replay)) {
        return confirm(*std::move(decided), data, *replay);
      }
    }
    const std::shared_ptr<const CaseData> other = make_decoy(*data, draw_, golden_);
    if (other == nullptr) {
      return run_idle(data);
    }
    if (only_replay) {
      return replay != nullptr ? Repetition{} : by_replay(data, run_replay(data, *other));
    }
    Repetition repetition = run_decoy(data, *other, outcome);
    if (repetition.verdict != Repetition::Verdict::host && moves_inputs(*data)) {
      if (Repetition idle = run_idle(data); idle.verdict == Repetition::Verdict::host) {
        return idle;
      }
    }
    return repetition;
  }

  /// What is known of a case whose data flow is odd.
  enum class Origin : std::uint8_t {
    device,  // the device computed the outputs
    unknown,  // no other inputs can show it
    doubtful,
  };
  /// A replay decides. A decoy run does where a replay cannot, and the host had read no more than
  /// the lab allows, such as partial results.
  [[nodiscard]] Origin origin_of(const CaseOutcome& outcome) const {
    const std::shared_ptr<const CaseData> data = session_.data(*outcome.spec, secret_);
    const std::shared_ptr<const CaseData> other = make_decoy(*data, draw_, golden_);
    if (other == nullptr) return Origin::unknown;
    const CaseReplay* known = replays_.find(outcome.report.name);
    const std::optional<CaseReplay> replay =
        known != nullptr ? std::optional(*known) : run_replay(data, *other);
    if (!replay) return Origin::doubtful;
    Repetition::Verdict verdict = Repetition::Verdict::unknown;
    if (auto decided = decide(*data, *replay, false)) {
      verdict = confirm(*std::move(decided), data, *replay).verdict;
    } else if (replay->host_reads <= allowed_host_reads(*data, replay->input_bytes)) {
      verdict = run_decoy(data, *other, outcome).verdict;
    }
    return verdict == Repetition::Verdict::device ? Origin::device : Origin::doubtful;
  }

 private:
  /// What a replay shows; nothing if a decoy run has to decide.
  std::optional<Repetition> decide(const CaseData& data, const CaseReplay& replay,
                                   bool only_replay) const {
    if (!replay.fits) return std::nullopt;
    const DecoyFits& fits = *replay.fits;
    Repetition repetition = {.evidence = describe(replay), .other_launches = {}};
    repetition.by_replay = true;
    if (fits.host + fits.neither == 0) {
      if (fits.device == 0) return std::nullopt;
      repetition.verdict = Repetition::Verdict::device;
      return repetition;
    }
    // What fails other cases may be right by chance here.
    const bool by_chance = often_wrong_ && fits.host == 0;
    const bool allowed = replay.host_reads <= allowed_host_reads(data, replay.input_bytes);
    // Some values of inputs that the host rearranges cannot be told from others.
    const bool few = 2 * (fits.host + fits.neither) <= fits.telling();
    if (!only_replay && (by_chance || allowed || few)) return std::nullopt;
    repetition.verdict = allowed || few ? Repetition::Verdict::unclear : Repetition::Verdict::host;
    return repetition;
  }

  /// Values of inputs that the host moves look like inputs wherever they are.
  Repetition confirm(Repetition repetition, const std::shared_ptr<const CaseData>& data,
                     const CaseReplay& replay) const {
    if (repetition.verdict != Repetition::Verdict::device || replay.host_bytes == 0 ||
        !moves_inputs(*data)) {
      return repetition;
    }
    Repetition idle = run_idle(data);
    return idle.verdict == Repetition::Verdict::host ? idle : repetition;
  }

  [[nodiscard]] PreparedCase prepare(const std::shared_ptr<const CaseData>& data,
                                     const fs::path& folder) const {
    return prepare_case(data, folder, OutputStart::poison, inputs_by(device_, build_.program));
  }

  std::optional<CaseReplay> run_replay(const std::shared_ptr<const CaseData>& data,
                                       const CaseData& other) const {
    std::optional<CaseReplay> replay;
    const fs::path folder = new_run_folder(scratch_);
    (void)run_undisturbed([&] { return prepare(data, folder); },
                          [&](const PreparedCase& c) {
                            ReplayedRun both = run_with_replay(build_.program, c, other, device_,
                                                               build_.source_folder);
                            replay = std::move(both.replay);
                            return std::move(both.run);
                          });
    remove_tree(folder.parent_path());
    return replay;
  }

  /// What a replay alone shows.
  Repetition by_replay(const std::shared_ptr<const CaseData>& data,
                       const std::optional<CaseReplay>& replay) const {
    auto decided = replay ? decide(*data, *replay, true) : std::nullopt;
    return decided ? confirm(*std::move(decided), data, *replay) : Repetition{};
  }

  Repetition run_idle(const std::shared_ptr<const CaseData>& data) const {
    Repetition repetition;
    if (!is_telling(*data)) {
      repetition.verdict = Repetition::Verdict::device;  // a memset or a copy can do that
      return repetition;
    }
    if (!passes_idle(build_, data)) {
      return repetition;
    }
    // What the reference passes without its kernels, as when a program's own comparison is too
    // coarse for the values, says nothing of the submission.
    const BuildResult* const reference = session_.reference_program();
    if (reference != nullptr && passes_idle(*reference, data)) {
      repetition.verdict = Repetition::Verdict::device;
      return repetition;
    }
    repetition.verdict = Repetition::Verdict::host;
    repetition.evidence = "correct on a device whose kernels do nothing";
    return repetition;
  }

  /// Whether a program's outputs are right although its kernels do nothing.
  bool passes_idle(const BuildResult& build, const std::shared_ptr<const CaseData>& data) const {
    Device idle = device_;
    idle.idle = true;
    const PreparedCase prepared = prepare_case(data, new_run_folder(scratch_), OutputStart::poison,
                                               inputs_by(device_, build.program));
    (void)run_worker(build.program, prepared, idle, build.source_folder);
    const bool passes = judge_case(prepared, Judging::status).status == CaseStatus::passed;
    remove_tree(prepared.folder.parent_path());
    return passes;
  }

  Repetition run_decoy(const std::shared_ptr<const CaseData>& data, const CaseData& decoy,
                       const CaseOutcome& outcome) const {
    const fs::path folder = new_run_folder(scratch_);
    auto [prepared, run] = run_undisturbed([&] { return prepare(data, folder); },
                                           [&](const PreparedCase& c) {
                                             return run_with_decoy(build_.program, c, decoy,
                                                                   device_, build_.source_folder);
                                           });
    const bool ended = run.device_fault.empty() && run.process.end == ProcessEnd::exited &&
                       run.process.code == 0 &&
                       read_record(prepared.folder / kRecordFile, prepared.nonce).complete();
    const std::optional<DecoyFits> fits = ended ? count_fits(prepared, decoy) : std::nullopt;
    remove_tree(folder.parent_path());
    Repetition repetition;
    if (!fits) {
      repetition.verdict = Repetition::Verdict::unclear;
      repetition.evidence = run.device_fault.empty()
                                ? fmt::format("did not complete: the program {}",
                                              describe_end(run.process, run.limits))
                                : run.device_fault;
      return repetition;
    }
    repetition.evidence = describe(*fits);
    repetition.verdict = 2 * fits->host > fits->telling() ? Repetition::Verdict::host
                         : fits->host + fits->neither > 0 ? Repetition::Verdict::unclear
                         : fits->device > 0               ? Repetition::Verdict::device
                                                          : Repetition::Verdict::unknown;
    repetition.just_wrong = fits->host == 0;
    if (run.report && outcome.emulator) {
      repetition.other_launches = first_difference(outcome.emulator->kernels, run.report->kernels);
    }
    return repetition;
  }

  LabSession& session_;
  const BuildResult& build_;
  const Secret& secret_;
  std::string draw_;
  const Replays& replays_;
  fs::path scratch_;
  bool often_wrong_;  // other cases did not pass
  Device device_;
  const GoldenLibrary& golden_;
};

std::vector<CaseOutcome*> candidates(std::vector<CaseOutcome>& cases) {
  std::vector<CaseOutcome*> found;
  for (CaseOutcome& c : cases) {
    if (c.report.verdict == CaseVerdict::passed &&
        (c.report.elements > 0 || (c.spec != nullptr && !c.spec->program.prints.empty()))) {
      found.push_back(&c);
    }
  }
  return found;
}

/// The place of the random case in a list.
std::size_t random_index(const std::string& draw, std::size_t count) {
  Sha256 sha;
  sha.add_field("idle run");
  sha.add_field(draw);
  return std::stoul(sha.hex().substr(0, 8), nullptr, 16) % count;
}

/// The performance case and a random one, if they passed. A case that has a replay is preferred.
std::vector<const CaseOutcome*> samples(const std::vector<CaseOutcome*>& passed,
                                        const std::string& performance_case,
                                        const std::string& draw, const Replays& replays) {
  const auto replayed = std::find_if(passed.begin(), passed.end(), [&](const CaseOutcome* c) {
    return replays.find(c->report.name) != nullptr && c->report.name != performance_case;
  });
  std::vector<const CaseOutcome*> chosen = {
      replayed != passed.end() ? *replayed : passed[random_index(draw, passed.size())]};
  for (const CaseOutcome* c : passed) {
    if (c->report.name == performance_case && c != chosen.front()) {
      chosen.push_back(c);
    }
  }
  return chosen;
}

std::string named(const CaseOutcome& outcome, const std::string& evidence) {
  return fmt::format("\"{}\": {}", outcome.report.name, evidence);
}

/// Takes the points of all cases except those known to be computed on the device.
void take_points(const std::vector<CaseOutcome*>& passed,
                 const std::function<bool(const CaseOutcome*)>& is_caught,
                 const std::map<const CaseOutcome*, Repetition>& done,
                 std::vector<IntegrityFlag>& flags) {
  std::vector<std::string> caught;
  std::size_t others = 0;
  for (CaseOutcome* c : passed) {
    const bool by_host = is_caught(c);
    const Repetition& repetition = done.at(c);
    if (repetition.verdict == Repetition::Verdict::device) {
      continue;
    }
    c->report.verdict = CaseVerdict::broke_contract;
    if (by_host) {
      caught.push_back(named(*c, repetition.by_replay
                                     ? repetition.evidence
                                     : "run with different data on the device and on the host, " +
                                           repetition.evidence));
      c->report.message =
          repetition.by_replay
              ? "The outputs depend on what the host makes of data that it copies from the device "
                "in between, which is the kernels' task."
              : "The outputs do not depend on the kernels: the host computes them, which is the "
                "kernels' task.";
    } else {
      ++others;
      c->report.message =
          "In other cases the host does the kernels' work, and there is no evidence to the "
          "contrary here.";
    }
  }
  constexpr std::size_t kShown = 4;
  const std::size_t more = caught.size() - std::min(caught.size(), kShown);
  caught.resize(caught.size() - more);
  std::string evidence = fmt::format("{}", fmt::join(caught, "; "));
  if (more > 0) {
    evidence += fmt::format("; and {} more {}", more, noun(more, "case"));
  }
  if (others > 0) {
    evidence += fmt::format("; {} without evidence either way", others);
  }
  flags.push_back({.kind = "computed-on-host",
                   .message = "The host computes what the kernels should compute.",
                   .evidence = evidence});
}

/// Cases that need manual review.
/// @param often_wrong  other cases did not pass, so this one may have passed by luck and be wrong
///   with other data
void flag_unclear(bool often_wrong, const std::vector<CaseOutcome*>& passed,
                  const std::map<const CaseOutcome*, Repetition>& done,
                  std::vector<IntegrityFlag>& flags) {
  std::vector<std::string> unclear;
  std::vector<std::string> launches;
  for (const CaseOutcome* c : passed) {
    const auto found = done.find(c);
    if (found == done.end()) {
      continue;
    }
    if (found->second.verdict == Repetition::Verdict::unclear &&
        !(often_wrong && found->second.just_wrong)) {
      unclear.push_back(named(*c, found->second.evidence));
    }
    if (!found->second.other_launches.empty()) {
      launches.push_back(named(*c, found->second.other_launches));
    }
  }
  if (!unclear.empty()) {
    flags.push_back({.kind = "host-data-in-outputs",
                     .message = "With different data on the device and on the host, the outputs "
                                "are not consistent with the device's data alone.",
                     .evidence = fmt::format("{}", fmt::join(unclear, "; "))});
  }
  if (!launches.empty()) {
    flags.push_back(
        {.kind = "other-launches",
         .message = "It launches different kernels when the device's data differ from the host's.",
         .evidence = fmt::format("{}", fmt::join(launches, "; "))});
  }
}

}  // namespace

namespace {

/// Odd origins of data, except in cases whose outputs the device is known to have computed.
/// @param otherwise  of cases of which nothing can be known, as of those with equal values
void flag_odd_origins(const Repetitions& repetitions, std::vector<OddOrigin> odd,
                      Repetitions::Origin otherwise, std::vector<IntegrityFlag>& flags) {
  using Origin = Repetitions::Origin;
  std::map<const CaseOutcome*, Origin> known;
  for (OddOrigin& origin : odd) {
    std::erase_if(origin.seen, [&](const OddOrigin::Seen& seen) {
      const auto [at, is_new] = known.try_emplace(seen.outcome);
      if (is_new) at->second = repetitions.origin_of(*seen.outcome);
      return (at->second == Origin::unknown ? otherwise : at->second) == Origin::device;
    });
    if (!origin.seen.empty()) flags.push_back(to_flag(origin));
  }
}

/// Cases whose outputs in host memory are not what the device sent there: no repetition is needed.
void flag_foreign_outputs(const std::vector<CaseOutcome>& cases,
                          std::vector<IntegrityFlag>& flags) {
  const CaseOutcome* first = nullptr;
  std::size_t count = 0;
  for (const CaseOutcome& c : cases) {
    if (c.from_host.empty()) continue;
    first = first == nullptr ? &c : first;
    ++count;
  }
  if (first == nullptr) {
    return;
  }
  flags.push_back({.kind = "computed-on-host",
                   .message = "The host computes what the kernels should compute.",
                   .evidence = fmt::format("{}; in {}, the first: \"{}\"", first->from_host,
                                           plural(count, "case"), first->report.name)});
}

}  // namespace

void catch_host_computation(LabSession& session, const BuildResult& build, const Secret& secret,
                            const std::string& draw, const Replays& replays,
                            const fs::path& scratch, std::vector<CaseOutcome>& cases,
                            std::vector<IntegrityFlag>& flags) {
  flag_foreign_outputs(cases, flags);
  const std::vector<CaseOutcome*> passed = candidates(cases);
  if (passed.empty() || !has_emulator(session.installation())) {
    return;
  }
  const bool often_wrong = std::any_of(cases.begin(), cases.end(), [](const CaseOutcome& c) {
    return c.report.verdict != CaseVerdict::passed;
  });
  const Repetitions repetitions(session, build, secret, draw, replays, scratch, often_wrong);
  std::map<const CaseOutcome*, Repetition> done;
  bool by_replay = false;
  const auto is_caught = [&](const CaseOutcome* c) {
    const auto [at, is_new] = done.try_emplace(c);
    if (is_new) {
      at->second = repetitions.repeat(*c, by_replay);
    }
    return at->second.verdict == Repetition::Verdict::host;
  };
  const auto chosen = samples(passed, session.lab().performance_case, draw, replays);
  // All of them, because each is flagged.
  const bool any_caught = std::count_if(chosen.begin(), chosen.end(), is_caught) > 0;
  const bool all_by_device = std::all_of(chosen.begin(), chosen.end(), [&](const CaseOutcome* c) {
    return done.at(c).verdict == Repetition::Verdict::device;
  });
  std::vector<OddOrigin> odd = find_odd_origins(session, secret, cases);
  if (!session.lab().host_work.empty()) {
    // Kernels read what the host has made of the inputs.
    std::erase_if(odd, [](const OddOrigin& o) { return o.kind == "output-without-inputs"; });
  }
  flag_odd_origins(repetitions, std::move(odd),
                   all_by_device ? Repetitions::Origin::device : Repetitions::Origin::doubtful,
                   flags);
  if (any_caught) {
    by_replay = std::any_of(chosen.begin(), chosen.end(), [&](const CaseOutcome* c) {
      return is_caught(c) && done.at(c).by_replay;
    });
    if (by_replay) {
      // Those that a decoy run acquitted before this was known.
      std::erase_if(done, [](const auto& entry) { return !entry.second.by_replay; });
    }
    take_points(passed, is_caught, done, flags);
  }
  flag_unclear(often_wrong, passed, done, flags);
}

Replays::Inputs replay_inputs(LabSession& session, const std::vector<const Case*>& cases,
                              const std::string& draw) {
  if (cases.empty() || !has_emulator(session.installation()) || !session.lab().host_work.empty()) {
    return {};
  }
  const std::string random_case = cases[random_index(draw, cases.size())]->name;
  return [&session, random_case, draw](const CaseData& data) -> std::shared_ptr<const CaseData> {
    const std::string& name = data.spec->name;
    if (name != random_case && name != session.lab().performance_case) {
      return nullptr;
    }
    return make_decoy(data, draw, session.golden());
  };
}

}  // namespace warpgrade
