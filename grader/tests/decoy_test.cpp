// Programs of grader/tests/attacks/decoys, as a class: honest ones that use their inputs in unusual
// ways keep their points, and those that compute on the host do not.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/author/check/stage.h"
#include "grader/author/check/wrong_program.h"
#include "grader/core/text.h"
#include "grader/run/session/lab_session.h"
#include "grader/run/worker/decoy_run.h"
#include "grader/tests/program.h"
#include "grader/tests/sample.h"
#include "harness/case/decoy.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::flags_of;
using testing::GradedSamples;
using testing::need_part;
using testing::passed_part;
using testing::Sample;
using testing::samples_in;
namespace {

void grade_quarter(std::size_t quarter) {
  need_part("honest programs", quarter, 4);
  const std::vector<Sample> some = samples_in("decoys", quarter, 4);
  REQUIRE(some.size() >= 12);
  const GradedSamples graded(some);
  for (const Sample& sample : some) {
    const nlohmann::json grade = graded.grade_of(sample);
    INFO(sample.name << ": " << grade.at("summary") << "\n" << grade.at("integrity").dump(1));
    const std::set<std::string> kinds = flags_of(grade);
    const bool is_kept = sample.says("becomes") != "nothing";
    if (is_kept) {
      CHECK(passed_part(grade) == 1);
    } else {
      CHECK(grade.at("score") < 15);
    }
    if (sample.says("flag") == "none") {
      CHECK(kinds.empty());
    } else if (is_kept) {
      CHECK(kinds == std::set<std::string>{sample.says("flag")});
    } else {
      CHECK(kinds.contains(sample.says("flag")));
    }
  }
}

TEST_CASE("honest programs keep their points whatever they do with their inputs: first quarter",
          "[program][attacks]") {
  grade_quarter(0);
}

TEST_CASE("honest programs keep their points whatever they do with their inputs: second quarter",
          "[program][attacks]") {
  grade_quarter(1);
}

TEST_CASE("honest programs keep their points whatever they do with their inputs: third quarter",
          "[program][attacks]") {
  grade_quarter(2);
}

TEST_CASE("honest programs keep their points whatever they do with their inputs: last quarter",
          "[program][attacks]") {
  grade_quarter(3);
}

/// Programs of a lab: its solution; with WARPGRADE_DECOYS=stages the stages, too; with
/// WARPGRADE_DECOYS=all also its wrong programs.
struct LabPrograms {
  std::vector<SourceFile> right;
  std::vector<SourceFile> wrong;
};

LabPrograms programs_of(const Lab& lab) {
  const auto source_of = [](const fs::path& file) {
    return SourceFile{.name = file.filename().string(), .text = read_file(file)};
  };
  LabPrograms found{.right = {source_of(lab.reference / "solution.cu")}, .wrong = {}};
  const char* chosen = std::getenv("WARPGRADE_DECOYS");
  const std::string_view which = chosen == nullptr ? "" : chosen;
  if (which == "stages" || which == "all") {
    for (const fs::path& stage : cu_files(lab.reference / "stages")) {
      // Those of another precision have bounds of their own.
      SourceFile source = source_of(stage);
      if (!source.text.starts_with("// precision:")) found.right.push_back(std::move(source));
    }
  }
  if (which == "all") {
    for (const WrongProgram& program : wrong_programs(lab)) {
      found.wrong.push_back({.name = program.name + ".cu", .text = program.text});
    }
  }
  return found;
}

/// Every case, although a grade uses only two.
void run_decoys(const fs::path& lab_folder) {
  const Installation installation = find_installation();
  LabSession session(installation, find_toolchain(CompilerRequest::automatic, installation),
                     emulator_device(installation), load_lab(lab_folder));
  const Lab& lab = session.lab();
  if (lab.program) return;  // has no decoys
  const GoldenLibrary& golden = session.golden();
  std::size_t runs = 0;
  DecoyFits sum;
  for (const SourceFile& source : programs_of(lab).right) {
    const ScratchFolder scratch;
    const BuildResult build = session.build({source}, scratch.path() / "build");
    INFO(source.name << ": " << build.message);
    REQUIRE(build.ok());
    for (const Case& spec : lab.cases) {
      INFO(spec.name);
      const auto data = session.data(spec, {});
      const auto decoy = make_decoy(*data, "draw", golden);
      if (decoy == nullptr) continue;
      const PreparedCase prepared = prepare_case(data, scratch.path() / "case");
      const WorkerRun run =
          run_with_decoy(build.program, prepared, *decoy, session.device(), build.source_folder);
      INFO(describe_end(run.process, run.limits) << run.device_fault);
      const auto fits = count_fits(prepared, *decoy);
      CHECK(fits);
      if (!fits) continue;
      CHECK(fits->host + fits->neither + fits->left == 0);
      CHECK(fits->device > 0);
      ++runs;
      sum.device += fits->device;
      sum.both += fits->both;
    }
  }
  CHECK(runs > lab.cases.size() / 2);
  std::printf(
      "%s: %zu decoy runs of %zu programs, %llu elements from the device's inputs, %llu "
      "from both\n",
      lab.id.c_str(), runs, programs_of(lab).right.size(),
      static_cast<unsigned long long>(sum.device), static_cast<unsigned long long>(sum.both));
}

/// Labs whose programs may go on with what the host has read, and what that is: a replay gives the
/// device what the host made of the case's own inputs.
const std::map<std::string, std::string> kReadOn = {
    {"devices", "the largest of the devices' peaks"}};

/// Wrong programs whose outputs the host computes: right, and no replay of the device's work is.
const std::set<std::string> kOnTheHost = {"on_the_host.cu"};

/// Whether all outputs are right, whatever else the program did: that is all a replay can show.
bool has_right_outputs(const PreparedCase& prepared) {
  const CaseResult result = judge_case(prepared);
  if (result.status == CaseStatus::incomplete) return false;
  return std::ranges::all_of(result.outputs,
                             [](const OutputResult& output) { return output.comparison.passed(); });
}

/// Whether a program is right for these inputs when it runs, host code and all.
bool runs_right(const BuildResult& build, const std::shared_ptr<const CaseData>& inputs,
                LabSession& session, const fs::path& folder) {
  const PreparedCase prepared = prepare_case(inputs, folder);
  (void)run_worker(build.program, prepared, session.device(), build.source_folder);
  return has_right_outputs(prepared);
}

/// Replays of every case: they come out right exactly where the case itself is right, or, for a
/// program that is wrong for some inputs only, where it is right for the other inputs.
void run_replays(const fs::path& lab_folder) {
  const Installation installation = find_installation();
  LabSession session(installation, find_toolchain(CompilerRequest::automatic, installation),
                     emulator_device(installation), load_lab(lab_folder));
  const Lab& lab = session.lab();
  if (lab.program) return;  // a program's own files are not replaced
  std::map<std::string, std::size_t> counts;
  const auto replay_all = [&](const SourceFile& source, bool is_right) {
    const ScratchFolder scratch;
    const BuildResult build = session.build({source}, scratch.path() / "build");
    if (!build.ok() && !is_right) return;
    INFO(source.name << ": " << build.message);
    REQUIRE(build.ok());
    for (const Case& spec : lab.cases) {
      const auto data = session.data(spec, {});
      const auto other = make_decoy(*data, "draw", session.golden());
      if (other == nullptr) continue;
      const PreparedCase prepared = prepare_case(data, scratch.path() / "case");
      const auto both =
          run_with_replay(build.program, prepared, *other, session.device(), build.source_folder);
      const bool passed = has_right_outputs(prepared);
      if (!both.replay || !both.replay->fits) {
        const std::string why = both.replay ? both.replay->problem : "the run did not end";
        ++counts[why];
        if (passed)
          std::printf("  %s, \"%s\": %s\n", source.name.c_str(), spec.name.c_str(), why.c_str());
        continue;
      }
      const DecoyFits& fits = *both.replay->fits;
      const bool right = fits.host + fits.neither + fits.left == 0 && fits.device > 0;
      ++counts[right ? "right" : "wrong"];
      if (kOnTheHost.contains(source.name)) {
        CHECK(passed);
        CHECK(!right);
        ++counts["computed on the host"];
        continue;
      }
      if (right == passed) continue;
      const bool itself = runs_right(build, other, session, scratch.path() / "other");
      if (!is_right && right == itself) {
        ++counts["as the program itself with the other inputs"];
        continue;
      }
      if (!right && itself && both.replay->host_reads > 0 && kReadOn.contains(lab.id)) {
        ++counts["wrong, as the host goes on with " + kReadOn.at(lab.id)];
        continue;
      }
      INFO(source.name << ", \"" << spec.name << "\": the case is " << (passed ? "right" : "wrong")
                       << ", its replay is not; of its elements " << fits.device
                       << " are right for the other inputs, " << fits.host << " for its own, "
                       << fits.neither << " for neither; the host had read "
                       << both.replay->host_reads << " bytes");
      CHECK(right == passed);
    }
  };
  const LabPrograms programs = programs_of(lab);
  for (const SourceFile& source : programs.right) replay_all(source, true);
  for (const SourceFile& source : programs.wrong) replay_all(source, false);
  std::printf("%s: replays of %zu programs", lab.id.c_str(),
              programs.right.size() + programs.wrong.size());
  for (const auto& [what, count] : counts) std::printf("; %s: %zu", what.c_str(), count);
  std::printf("\n");
}

/// Labs whose inputs a decoy replaces, divided because of the time: a commit runs
/// one of the parts; only that of
/// WARPGRADE_DECOYS_LAB, if it is set.
std::vector<fs::path> labs_of_third(std::size_t third) {
  std::vector<fs::path> labs;
  for (const std::string& id : find_labs(testing::source_folder())) {
    const char* only = std::getenv("WARPGRADE_DECOYS_LAB");
    if (only != nullptr && id != only) continue;
    const fs::path folder = testing::source_folder() / "labs" / id;
    const Lab lab = load_lab(folder);
    // Bytes are not replaced by decoys.
    const bool has_decoys =
        std::any_of(lab.parameters.begin(), lab.parameters.end(), [](const Parameter& p) {
          return p.is_array() && p.role != Role::output && size_of(p.type) >= 4;
        });
    if (has_decoys) labs.push_back(folder);
  }
  std::vector<fs::path> some;
  for (std::size_t i = third; i < labs.size(); i += 3) some.push_back(labs[i]);
  return some;
}

void run_third(const std::string& family, std::size_t third, void (*run)(const fs::path& lab)) {
  need_part(family, third, 3);
  for (const fs::path& lab : labs_of_third(third)) run(lab);
}

TEST_CASE("every case of a solution follows from the device's inputs: first third of the labs",
          "[program][attacks]") {
  run_third("decoys", 0, run_decoys);
}

TEST_CASE("every case of a solution follows from the device's inputs: second third of the labs",
          "[program][attacks]") {
  run_third("decoys", 1, run_decoys);
}

TEST_CASE("every case of a solution follows from the device's inputs: last third of the labs",
          "[program][attacks]") {
  run_third("decoys", 2, run_decoys);
}

TEST_CASE("a replay is right exactly where its case is: first third of the labs",
          "[program][attacks][replays]") {
  run_third("replays", 0, run_replays);
}

TEST_CASE("a replay is right exactly where its case is: second third of the labs",
          "[program][attacks][replays]") {
  run_third("replays", 1, run_replays);
}

TEST_CASE("a replay is right exactly where its case is: last third of the labs",
          "[program][attacks][replays]") {
  run_third("replays", 2, run_replays);
}

}  // namespace
}  // namespace warpgrade
