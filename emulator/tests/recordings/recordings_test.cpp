#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/counters/counters.h"
#include "emulator/counters/patterns.h"
#include "emulator/recording/recording.h"
#include "emulator/tests/recordings/recorded_run.h"
#include "emulator/timeline/timeline.h"

using namespace warpsim;
using namespace warpsim::recording;

namespace {

/// What the pictures of a kernel's blocks show, added up.
struct Shown {
  std::uint64_t load_sectors = 0, store_sectors = 0;
  std::uint64_t load_wavefronts = 0, store_wavefronts = 0;
  std::uint64_t load_conflicts = 0, store_conflicts = 0;
  std::uint64_t barriers = 0, divergent = 0, instructions = 0;
};

void add(Shown& shown, const Block& block, const Step& step) {
  const auto kind = static_cast<AccessKind>(block.instructions[step.instruction].access);
  switch (step.kind) {
    case Step::Kind::arrive:
      ++shown.barriers;
      ++shown.instructions;
      return;
    case Step::Kind::run:
      shown.instructions += step.count;
      return;
    case Step::Kind::diverge:
      ++shown.divergent;
      return;
    case Step::Kind::access:
      break;
    default:
      return;
  }
  const std::uint32_t excess = step.passes - step.ideal;
  if (kind == AccessKind::global_load || (kind == AccessKind::global_to_shared && !step.shared)) {
    shown.load_sectors += step.passes;
  } else if (kind == AccessKind::global_store) {
    shown.store_sectors += step.passes;
  } else if (kind == AccessKind::shared_load) {
    shown.load_wavefronts += step.passes;
    shown.load_conflicts += excess;
  } else if (kind == AccessKind::shared_store) {
    shown.store_wavefronts += step.passes;
    shown.store_conflicts += excess;
  }
}

/// The addresses of a step give what the step says: the page draws the ones and says the others.
void check_addresses(const Block& block, const Step& step) {
  if (step.kind != Step::Kind::access || step.type == AccessType::atomic) return;
  const auto kind = static_cast<AccessKind>(block.instructions[step.instruction].access);
  PatternMemo memo;
  if (!step.shared && kind != AccessKind::global_to_shared) {
    const PatternCost cost = sector_cost(step.address.data(), step.lanes, step.width, memo);
    CHECK(cost.passes == step.passes);
    CHECK(cost.ideal == step.ideal);
  } else if (kind == AccessKind::shared_load || kind == AccessKind::shared_store) {
    std::uint32_t offset[32];
    std::copy(step.address.begin(), step.address.end(), offset);
    const PatternCost cost = wavefront_cost(offset, step.lanes, step.width, memo);
    CHECK(cost.passes == step.passes);
    CHECK(cost.ideal == step.ideal);
  }
}

std::uint64_t counter(const nlohmann::json& kernel, const char* name) {
  return kernel.at("counters").value(name, std::uint64_t{0});
}

std::vector<std::string> recorded_programs() {
  std::vector<std::string> programs;
  std::istringstream names(RECORDED_PROGRAMS);
  for (std::string name; std::getline(names, name, ':');) programs.push_back(name);
  return programs;
}

}  // namespace

TEST_CASE("the numbers of the pictures are the counters of the run, for stages of six labs",
          "[recordings]") {
  Shown all;
  for (const std::string& program : recorded_programs()) {
    const Run run(program, "--record-what block=all,bytes=1000000");
    const Recording recording = run.recording();
    CAPTURE(program, recording.notes);
    REQUIRE(recording.notes.empty());
    std::map<std::string, Shown> shown;
    std::map<std::string, std::uint64_t> blocks;
    for (const Block& block : recording.blocks) {
      REQUIRE(block.dropped == 0);
      ++blocks[block.kernel];
      for_each_step(block, [&](const Step& step) {
        add(shown[block.kernel], block, step);
        check_addresses(block, step);
      });
    }
    REQUIRE(shown.size() == run.report.at("kernels").size());
    for (const nlohmann::json& kernel : run.report.at("kernels")) {
      const std::string name = kernel.at("name");
      CAPTURE(name);
      const Shown& is = shown.at(name);
      CHECK(is.load_sectors == counter(kernel, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
      CHECK(is.store_sectors == counter(kernel, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
      CHECK(is.load_wavefronts ==
            counter(kernel, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"));
      CHECK(is.load_conflicts ==
            counter(kernel, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"));
      CHECK(is.store_conflicts ==
            counter(kernel, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"));
      CHECK(is.barriers == counter(kernel, "barriers"));
      CHECK(is.divergent == counter(kernel, "smsp__sass_branch_targets_threads_divergent.sum"));
      all.load_conflicts += is.load_conflicts;
      all.store_conflicts += is.store_conflicts;
      all.barriers += is.barriers;
      all.divergent += is.divergent;
      all.load_sectors += is.load_sectors;
    }
  }
  // Nothing is equal only because it is missing on both sides.
  CHECK(all.load_sectors > 10'000);
  CHECK(all.load_conflicts > 100);
  CHECK(all.store_conflicts > 100);
  CHECK(all.barriers > 100);
  CHECK(all.divergent > 100);
}

TEST_CASE("the calls are those of the report's timeline, with the same times", "[recordings]") {
  const Run run("recordings_scenes streams");
  const Recording recording = run.recording();
  const Calls& calls = recording.calls;
  const nlohmann::json& timeline = run.report.at("timeline");
  const nlohmann::json& operations = timeline.at("operations");
  CHECK(calls.end_ms == timeline.at("end_ms").get<double>());
  CHECK(calls.overlap_ms == timeline.at("overlap_ms").get<double>());
  CHECK(calls.overlap_ms > 0);
  REQUIRE(calls.list.size() == operations.size());
  REQUIRE(calls.list.size() > 12);
  for (std::size_t i = 0; i < calls.list.size(); ++i) {
    const Call& call = calls.list[i];
    const nlohmann::json& operation = operations[i];
    CAPTURE(i, call.name);
    CHECK(kOperationKinds.at(call.kind) == operation.at("kind").get<std::string>());
    CHECK(call.name == operation.at("name").get<std::string>());
    CHECK(call.stream == operation.at("stream").get<std::uint64_t>());
    CHECK(kEngineKinds.at(call.engine) == operation.at("engine").get<std::string>());
    CHECK(call.bytes == operation.value("bytes", std::uint64_t{0}));
    CHECK(call.begin_ms == operation.at("begin_ms").get<double>());
    CHECK(call.end_ms == operation.at("end_ms").get<double>());
    CHECK(call.line != 0);
  }
}

TEST_CASE("a call has the calls of other streams that it waits for", "[recordings]") {
  const Recording recording = Run("recordings_scenes streams").recording();
  const auto& list = recording.calls.list;
  const auto kind = [](OperationKind of) {
    return [of](const Call& call) { return call.kind == static_cast<std::uint8_t>(of); };
  };
  const auto event = std::ranges::find_if(list, kind(OperationKind::event));
  REQUIRE(event != list.end());
  const auto other = std::ranges::find_if(list, [&](const Call& call) {
    return call.stream != list.front().stream && call.stream != 0;
  });
  REQUIRE(other != list.end());
  // The first call of the second stream waits for the event; the next one only for the stream.
  CHECK(other->after == std::vector{static_cast<std::uint32_t>(event - list.begin())});
  CHECK(other->ready_ms < other->begin_ms);  // and for the engine, which copies the first chunk
  const auto next = std::find_if(other + 1, list.end(),
                                 [&](const Call& call) { return call.stream == other->stream; });
  REQUIRE(next != list.end());
  CHECK(next->after.empty());
  // The host waits for the last call of each stream.
  const auto wait = std::ranges::find_if(list, kind(OperationKind::host_wait));
  REQUIRE(wait != list.end());
  CHECK(wait->after.size() == 2);
  const File& file = recording.files.at(wait->file - 1);
  CHECK(file.lines.at(wait->line - file.first_line) == "  cudaDeviceSynchronize();");
}

TEST_CASE("a recording is the same with any number of host threads", "[recordings]") {
  for (const char* scene : {"reduce", "reverse", "outside", "streams"}) {
    const std::string command = std::string("recordings_scenes ") + scene;
    const Run one(command, "--threads 1");
    const Run four(command, "--threads 4");
    CHECK(one.bytes == four.bytes);
    CHECK(one.report.at("findings") == four.report.at("findings"));
  }
}

TEST_CASE("a run that is recorded has the findings and counters of one that is not",
          "[recordings]") {
  for (const char* scene : {"reverse", "branches", "barrier"}) {
    const std::string command = std::string("recordings_scenes ") + scene;
    const Run recorded(command, "--record-what block=0");
    const Run other(command, "--record-what launch=99");
    CHECK(other.recording().blocks.empty());
    CHECK(recorded.report.at("findings") == other.report.at("findings"));
    CHECK(recorded.report.at("kernels") == other.report.at("kernels"));
  }
}

TEST_CASE("without a finding block 0 of the first launch is recorded", "[recordings]") {
  const Recording recording = Run("recordings_scenes reduce").recording();
  REQUIRE(recording.blocks.size() == 1);
  const Block& block = recording.blocks.front();
  CHECK(block.launch == 1);
  CHECK(block.id == std::array<std::uint32_t, 3>{0, 0, 0});
  CHECK(block.findings.empty());
  REQUIRE(block.shared.size() == 1);
  CHECK(block.shared.front().name == "tile");
  // Each block writes one element.
  REQUIRE(block.outputs.size() == 1);
  const auto& elements = block.outputs.front().elements;
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(elements[i].count == 1);
    CHECK(elements[i].block == i);
    CHECK(elements[i].thread == 0);
  }
  CHECK(elements[8].count == 0);
  CHECK(recording.files.front().name == "scenes.cu");
  CHECK_FALSE(recording.files.front().lines.empty());
}

TEST_CASE("a block that a finding names is recorded, with the access out of bounds",
          "[recordings]") {
  const Recording recording = Run("recordings_scenes outside").recording();
  REQUIRE(recording.blocks.size() == 1);
  const Block& block = recording.blocks.front();
  CHECK(block.id == std::array<std::uint32_t, 3>{4, 0, 0});
  REQUIRE(block.findings.size() == 1);
  CHECK(block.findings.front().kind == "oob-global-write");
  REQUIRE(block.findings.front().step);
  const Step fault = steps_of(block).at(*block.findings.front().step);
  CHECK(fault.kind == Step::Kind::fault);
  CHECK(fault.lanes == 1);
  CHECK(fault.address[0] == block.global.front().base + block.global.front().bytes);
}

TEST_CASE("a launch runs again for a block that a finding names after many others",
          "[recordings]") {
  const Run recorded("recordings_scenes late");
  const Run other("recordings_scenes late", "--record-what launch=99");
  const Recording recording = recorded.recording();
  REQUIRE(recording.blocks.size() == 1);
  CHECK(recording.notes.empty());
  const Block& block = recording.blocks.front();
  CHECK(block.id == std::array<std::uint32_t, 3>{599, 0, 0});
  REQUIRE(block.findings.size() == 1);
  CHECK(block.findings.front().step);
  // The first run is undone: sums, printed lines, findings and counters are those of one run.
  CHECK(recorded.printed.starts_with("the last block\n24000\n"));
  CHECK(recorded.printed == other.printed);
  CHECK(recorded.report.at("findings") == other.report.at("findings"));
  CHECK(recorded.report.at("kernels") == other.report.at("kernels"));
}

TEST_CASE("a race has both of its threads, and the second one's access", "[recordings]") {
  const Recording recording = Run("recordings_scenes reverse").recording();
  const Block& block = recording.blocks.front();
  const auto found = std::ranges::find(block.findings, "race-shared", &NamedFinding::kind);
  REQUIRE(found != block.findings.end());
  const NamedFinding& finding = *found;
  REQUIRE(finding.race);
  REQUIRE(finding.step);
  CHECK(finding.race->shared);
  CHECK(finding.race->warp[0] != finding.race->warp[1]);
  const std::vector<Step> steps = steps_of(block);
  for (const std::size_t side : {0u, 1u}) {
    const bool accesses = std::ranges::any_of(steps, [&](const Step& step) {
      const std::uint32_t lane = finding.race->lane[side];
      return step.kind == Step::Kind::access && step.shared &&
             step.warp == finding.race->warp[side] && (step.lanes >> lane & 1) != 0 &&
             finding.race->address - step.address[lane] < step.width;
    });
    CHECK(accesses);
  }
}

TEST_CASE("a race between blocks has both blocks, and each one's access", "[recordings]") {
  const Recording recording = Run("recordings_scenes lost").recording();
  REQUIRE(recording.blocks.size() >= 2);
  const Block* block = nullptr;
  const NamedFinding* finding = nullptr;
  for (const Block& one : recording.blocks) {
    for (const NamedFinding& each : one.findings) {
      if (!each.race || !each.race->other || finding != nullptr) continue;
      block = &one;
      finding = &each;
    }
  }
  REQUIRE(finding != nullptr);
  CHECK(finding->kind == "race-global");
  const NamedFinding::Race& race = *finding->race;
  CHECK_FALSE(race.shared);
  CHECK(race.other->block != block->id);
  const auto other = std::ranges::find(recording.blocks, race.other->block, &Block::id);
  REQUIRE(other != recording.blocks.end());
  for (const std::uint32_t side : {0u, 1u}) {
    const std::vector<Step> steps = steps_of(side == race.other->side ? *other : *block);
    CHECK(std::ranges::any_of(steps, [&](const Step& step) {
      return step.kind == Step::Kind::access && !step.shared && step.warp == race.warp[side] &&
             (step.lanes >> race.lane[side] & 1) != 0 &&
             race.address - step.address[race.lane[side]] < step.width;
    }));
  }
  REQUIRE(finding->step);
  CHECK(steps_of(*block).at(*finding->step).address[0] == race.address);
}

TEST_CASE("a block is cut at the limit, and that is said", "[recordings]") {
  const Recording recording =
      Run("recordings_scenes transpose", "--record-what bytes=2000").recording();
  const Block& block = recording.blocks.front();
  CHECK(block.steps.size() < 2600);
  CHECK(block.dropped > 0);
  REQUIRE(recording.notes.size() == 1);
  CHECK(recording.notes.front() ==
        fmt::format("Block (0,0,0): {} warp instructions after the limit are left out.",
                    block.dropped));
}

TEST_CASE("more blocks than a file has room for are cut, and that is said", "[recordings]") {
  const Run run("recordings_scenes many", "--record-what block=all");
  CHECK(run.bytes.size() <= kMostBytes);
  const Recording recording = run.recording();
  CHECK(recording.blocks.size() > 100);
  CHECK(recording.blocks.size() < 1200);
  REQUIRE(recording.notes.size() == 1);
  CHECK(recording.notes.front() == "Not all blocks are recorded: the file would be too large.");
}

TEST_CASE("the page of a recording contains it and is under 600 KB", "[recordings]") {
  const fs::path page = fs::temp_directory_path() / fmt::format("page.{}.html", ::getpid());
  const std::string command =
      fmt::format("'{}' --quiet --record '{}' -- {}/recordings_scenes reduce >/dev/null",
                  WARPSIM_LAUNCHER, page.string(), WARPSIM_PROGRAMS);
  REQUIRE(std::system(command.c_str()) == 0);
  const std::string text = contents(page);
  fs::remove(page);
  CHECK(text.starts_with("<!doctype html>"));
  CHECK(text.find("reduce(float const*, float*, int)") != text.npos);
  CHECK(text.find("{{") == text.npos);
  CHECK(text.size() < 600'000);
}

TEST_CASE("a file that is not a recording is refused in one line", "[recordings]") {
  const fs::path file = fs::temp_directory_path() / fmt::format("forged.{}", ::getpid());
  std::ofstream(file) << "nothing";
  const std::string command =
      fmt::format("'{}' --show '{}' 2>'{}.out'", WARPSIM_LAUNCHER, file.string(), file.string());
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(contents(file.string() + ".out") ==
        fmt::format("warpsim: {}: the file is not a recording of warpsim\n", file.string()));
  fs::remove(file);
  fs::remove(file.string() + ".out");
}
