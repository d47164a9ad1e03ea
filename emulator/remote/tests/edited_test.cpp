// The work of an announced call, done again by the device process with edits of its kernels. The
// calls are in replayed.cu.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "emulator/cudart/edits_file.h"
#include "emulator/remote/tests/test_folder.h"

namespace {

namespace fs = std::filesystem;
using warpsim::cudart::EditResults;
using warpsim::cudart::TriedEdit;
using Floats = std::vector<float>;

constexpr std::size_t kCount = 4096;

Floats inputs() {
  Floats values(kCount);
  for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<float>(i % 251) * 0.5F;
  return values;
}

void write(const fs::path& file, const void* bytes, std::size_t count) {
  std::ofstream(file, std::ios::binary)
      .write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
}

Floats floats_in(const std::vector<std::byte>& bytes) {
  Floats values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

/// Runs a scenario, and tries edits. @param edits  one per line; empty: all
EditResults edited(const TestFolder& folder, const std::string& scenario,
                   const std::string& edits = "") {
  const Floats in = inputs();
  write(folder / "in", in.data(), in.size() * sizeof(float));
  const std::string text = "edits\n" + edits;
  write(folder / "edits", text.data(), text.size());
  const std::string command =
      "WARPSIM_BUDGET=65536 WARPSIM_REPLAY='" + (folder / "edits").string() +
      "' '" WARPSIM_PROGRAM "' --separate --quiet --error-exitcode 0 -- '" REPLAYED_PROGRAM "' " +
      scenario + " '" + (folder / "in").string() + "' '" + (folder / "out").string() + "'";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  const auto results = warpsim::cudart::read_edit_results(
      warpsim::cudart::edits_file::results_of((folder / "edits").string()));
  REQUIRE(results);
  return *results;
}

Floats run_outputs(const TestFolder& folder) {
  std::ifstream in(folder / "out", std::ios::binary);
  Floats values(kCount);
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(kCount * sizeof(float)));
  return values;
}

/// The first edit with which each output is what it should be.
std::optional<TriedEdit> edit_for(const EditResults& results,
                                  const std::function<float(float)>& want) {
  Floats wanted = inputs();
  std::ranges::transform(wanted, wanted.begin(), want);
  for (const TriedEdit& edit : results.edits) {
    if (edit.output == TriedEdit::kNoOutput) continue;
    if (floats_in(results.outputs[static_cast<std::size_t>(edit.output)].front()) == wanted) {
      return edit;
    }
  }
  return std::nullopt;
}

TEST_CASE("edits are tried on the call's own work, each with its result",
          "[emulator][remote][edits]") {
  const TestFolder folder("edited");
  const EditResults results = edited(folder, "kernel");
  CHECK(results.problem.empty());
  CHECK(results.names == std::vector<std::string>{"out"});
  REQUIRE(!results.outputs.empty());
  CHECK(floats_in(results.outputs.front().front()) == run_outputs(folder));
  const auto doubled = edit_for(results, [](float x) { return x * 4 + 1; });
  REQUIRE(doubled);
  CHECK(doubled->file == "replayed.cu");
  CHECK(doubled->kind == "number");
  CHECK(doubled->from == "2");
  CHECK(doubled->to == "4");
  CHECK_FALSE(edit_for(results, [](float x) { return x * 5 + 1; }));
  const EditResults again = edited(folder, "kernel", doubled->text + "\nno edit\n");
  REQUIRE(again.edits.size() == 1);
  CHECK(again.edits.front().text == doubled->text);
  CHECK(again.edits.front().output == 1);
  CHECK(again.outputs == std::vector{results.outputs.front(),
                                     results.outputs[static_cast<std::size_t>(doubled->output)]});
}

TEST_CASE("edits of what the host asked for are tried, too", "[emulator][remote][edits]") {
  const TestFolder folder("edited");
  struct Slip {
    const char* scenario;
    const char* kind;
    const char* to;
  };
  for (const Slip& slip : {Slip{"arguments-exchanged", "arguments exchanged", "<>3"},
                           Slip{"half-copied", "size", "all"}, Slip{"half-returned", "size", "all"},
                           Slip{"returned-too-early", "order", "after="}}) {
    INFO(slip.scenario);
    const EditResults results = edited(folder, slip.scenario);
    CHECK(results.problem.empty());
    const auto found = edit_for(results, [](float x) { return x * 2 + 1; });
    REQUIRE(found);
    CHECK(found->kind == slip.kind);
    CHECK(found->to.starts_with(slip.to));
    CHECK(found->file == "replayed.cu");
    const EditResults again = edited(folder, slip.scenario, found->text + "\n");
    REQUIRE(again.edits.size() == 1);
    CHECK(again.edits.front().output == 1);
  }
}

TEST_CASE("an edit of code that a call does not run leaves its result",
          "[emulator][remote][edits]") {
  const TestFolder folder("edited");
  const EditResults results = edited(folder, "atomics", "replayed.cu:1.1/add.s32/2/1/2\n");
  REQUIRE(results.edits.size() == 1);
  CHECK(results.edits.front().output == 0);
}

TEST_CASE("nothing is tried where the host's part would be another one",
          "[emulator][remote][edits]") {
  const TestFolder folder("edited");
  CHECK(edited(folder, "moved-by-host").problem == "the host wrote an output itself");
  const EditResults results = edited(folder, "until-small");
  CHECK(results.problem == "the host reads results before the last work");
  CHECK(results.edits.empty());
}

TEST_CASE("damaged results are not read", "[emulator][remote][edits]") {
  const TestFolder folder("edited");
  const EditResults results = {
      .problem = "",
      .names = {"out"},
      .outputs = {{{std::byte{1}, std::byte{2}}}},
      .edits = {{.text = "a.cu:1/add.s32/2/1/2", .file = "a.cu", .line = 1, .output = 0}}};
  const fs::path file = folder / "results";
  REQUIRE(warpsim::cudart::write_edit_results(file, results));
  CHECK(warpsim::cudart::read_edit_results(file));
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(file, whole.data(), size);
    CHECK_FALSE(warpsim::cudart::read_edit_results(file));
  }
  write(file, (whole + "x").data(), whole.size() + 1);
  CHECK_FALSE(warpsim::cudart::read_edit_results(file));
  for (std::size_t at = 0; at < whole.size(); ++at) {  // no crash, and no memory without end
    std::string other = whole;
    other[at] = '\xff';
    write(file, other.data(), other.size());
    (void)warpsim::cudart::read_edit_results(file);
  }
  EditResults beyond = results;
  beyond.edits.front().output = 1;
  REQUIRE(warpsim::cudart::write_edit_results(file, beyond));
  CHECK_FALSE(warpsim::cudart::read_edit_results(file));
}

}  // namespace
