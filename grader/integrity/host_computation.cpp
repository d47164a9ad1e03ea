#include "grader/integrity/host_computation.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <system_error>

#include "grader/core/remove_tree.h"
#include "grader/core/sha256.h"
#include "grader/run/worker.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

bool is_zero(const Expected& expected) {
  const auto differs = [](auto value) { return value != 0; };
  return std::none_of(expected.want.begin(), expected.want.end(), differs) &&
         std::none_of(expected.exact.begin(), expected.exact.end(), differs);
}

/// Whether the output is an input, or how one starts: what cudaMemcpy alone achieves, honestly.
bool is_copy(const Expected& expected, const Array& input) {
  if (expected.type != input.type || expected.count() > input.count()) {
    return false;
  }
  return with_type(input.type, [&]<class T>(T) {
    const std::span<const T> from = input.as<T>();
    const auto equal = [](auto want, T value) {
      return want == static_cast<decltype(want)>(value);
    };
    return std::equal(expected.want.begin(), expected.want.end(), from.begin(), equal) &&
           std::equal(expected.exact.begin(), expected.exact.end(), from.begin(), equal);
  });
}

}  // namespace

bool is_telling(const CaseData& data) {
  return std::any_of(data.expected.begin(), data.expected.end(), [&](const auto& output) {
    return !is_zero(output.second) &&
           std::none_of(data.inputs.begin(), data.inputs.end(),
                        [&](const auto& input) { return is_copy(output.second, input.second); });
  });
}

namespace {

class IdleRuns {
 public:
  IdleRuns(LabSession& session, const BuildResult& build, const Secret& secret, fs::path folder)
      : session_(session),
        build_(build),
        secret_(secret),
        folder_(std::move(folder)),
        device_(emulator_device(session.installation())) {
    device_.sandbox = session.device().sandbox;
    device_.idle = true;
  }

  [[nodiscard]] bool right_without_kernels(const Case& spec) const {
    const std::shared_ptr<const CaseData> data = session_.data(spec, secret_);
    if (!is_telling(*data)) {
      return false;
    }
    const PreparedCase prepared = prepare_case(data, folder_);
    (void)run_worker(build_.program, prepared, device_, build_.source_folder);
    const bool right = judge_case(prepared).status == CaseStatus::passed;
    remove_tree(folder_);
    return right;
  }

 private:
  LabSession& session_;
  const BuildResult& build_;
  const Secret& secret_;
  fs::path folder_;
  Device device_;
};

std::vector<CaseOutcome*> candidates(std::vector<CaseOutcome>& cases) {
  std::vector<CaseOutcome*> found;
  for (CaseOutcome& c : cases) {
    if (c.report.verdict == CaseVerdict::passed && c.report.elements > 0) {
      found.push_back(&c);
    }
  }
  return found;
}

/// The performance case and the drawn one, as far as they passed.
std::vector<const CaseOutcome*> samples(const std::vector<CaseOutcome*>& passed,
                                        const std::string& performance_case,
                                        const std::string& draw) {
  Sha256 sha;
  sha.add_field("idle run");
  sha.add_field(draw);
  const std::size_t number = std::stoul(sha.hex().substr(0, 8), nullptr, 16);
  std::vector<const CaseOutcome*> chosen = {passed[number % passed.size()]};
  for (const CaseOutcome* c : passed) {
    if (c->report.name == performance_case && c != chosen.front()) {
      chosen.push_back(c);
    }
  }
  return chosen;
}

}  // namespace

void catch_host_computation(LabSession& session, const BuildResult& build, const Secret& secret,
                            const std::string& draw, const fs::path& scratch,
                            std::vector<CaseOutcome>& cases, std::vector<IntegrityFlag>& flags) {
  const std::vector<CaseOutcome*> passed = candidates(cases);
  if (passed.empty() || !has_emulator(session.installation())) {
    return;
  }
  const IdleRuns idle(session, build, secret, scratch / "idle");
  const auto is_caught = [&](const CaseOutcome* c) { return idle.right_without_kernels(*c->spec); };
  const auto chosen = samples(passed, session.lab().performance_case, draw);
  if (std::none_of(chosen.begin(), chosen.end(), is_caught)) {
    return;
  }
  std::string names;
  for (CaseOutcome* c : passed) {
    if (is_caught(c)) {
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", c->report.name);
      c->report.verdict = CaseVerdict::broke_contract;
      c->report.message =
          "The outputs are right even when the kernels do nothing: the host computes them, and "
          "this is the kernels' work.";
    }
  }
  flags.push_back({.kind = "computed-on-host",
                   .message = "The host computes what the kernels should.",
                   .evidence = "right on a device whose kernels do nothing: " + names});
}

}  // namespace warpgrade
