// The work of an announced call, done again by the device process with other inputs and without the
// program. The calls are in replayed.cu.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/cudart/decoy_file.h"
#include "emulator/cudart/replay_file.h"
#include "emulator/remote/tests/test_folder.h"

namespace {

namespace fs = std::filesystem;
using warpsim::cudart::DecoyArray;
using Floats = std::vector<float>;

constexpr std::size_t kCount = 4096;

std::vector<std::byte> bytes_of(const Floats& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Values of which each has its own replacement.
Floats inputs() {
  Floats values(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    values[i] = static_cast<float>((i * 2654435761u) % 8191) * 0.37F + 0.003F;
  }
  return values;
}
Floats other_inputs() {
  Floats values = inputs();
  for (float& value : values) value = value * 1.75F + 5.25F;
  return values;
}

/// Runs a scenario. @param settings  of the environment
void run(const TestFolder& folder, const std::string& scenario, const std::string& settings) {
  const std::string command =
      settings +
      " '" WARPSIM_PROGRAM "' --separate --quiet --error-exitcode 0 -- '" REPLAYED_PROGRAM "' " +
      scenario + " '" + (folder / "in").string() + "' '" + (folder / "out").string() + "'";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
}

void write(const fs::path& file, const Floats& values) {
  std::ofstream out(file, std::ios::binary);
  const auto bytes = std::as_bytes(std::span(values));
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

Floats read(const fs::path& file) {
  const std::string bytes = text_of(file);
  Floats values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

/// What the call computes from these inputs.
Floats outputs_of(const TestFolder& folder, const std::string& scenario, const Floats& in) {
  write(folder / "in", in);
  run(folder, scenario, "");
  return read(folder / "out");
}

struct Replayed {
  std::string problem;
  std::uint64_t host_reads = 0;
  std::uint64_t output_reads = 0;
  Floats outputs;  // empty with a problem
  std::string report;  // of the run
};

Replayed replay(const TestFolder& folder, const std::string& scenario) {
  write(folder / "in", inputs());
  const std::vector<DecoyArray> arrays = {{.name = "in",
                                           .element_bytes = sizeof(float),
                                           .is_float = true,
                                           .host = bytes_of(inputs()),
                                           .device = bytes_of(other_inputs())}};
  REQUIRE(warpsim::cudart::write_decoy(folder / "replay", arrays));
  fs::remove_all(folder / "replay.outputs");
  run(folder, scenario,
      "WARPSIM_DATA_FLOW=1 WARPSIM_REPLAY='" + (folder / "replay").string() + "' WARPSIM_JSON='" +
          (folder / "report.json").string() + "'");
  Replayed result{.problem = {}, .host_reads = 0, .output_reads = 0, .outputs = {}, .report = {}};
  std::istringstream end(
      text_of(folder / "replay.outputs" / std::string(warpsim::cudart::replay_file::kEnd)));
  for (std::string line; std::getline(end, line);) {
    if (line.starts_with("problem ")) result.problem = line.substr(8);
    if (line.starts_with("host_reads ")) result.host_reads = std::stoull(line.substr(11));
    if (line.starts_with("output_reads ")) result.output_reads = std::stoull(line.substr(13));
  }
  result.report = text_of(folder / "report.json");
  if (!result.problem.empty()) return result;
  result.outputs = read(folder / "replay.outputs" / "out-out.bin");
  return result;
}

constexpr std::uint64_t kAll = kCount * sizeof(float);

TEST_CASE("work that the device does comes out right for other inputs",
          "[emulator][remote][replay]") {
  const TestFolder folder("replayed");
  for (const char* scenario :
       {"kernel", "atomics", "constants", "initial-constants", "device-variable", "graph",
        "texture", "cooperative", "managed", "pinned", "reallocating", "streams", "host-arrays",
        "widened", "registered"}) {
    INFO(scenario);
    const Replayed replayed = replay(folder, scenario);
    CHECK(replayed.problem.empty());
    CHECK(replayed.outputs == outputs_of(folder, scenario, other_inputs()));
    CHECK(replayed.outputs != outputs_of(folder, scenario, inputs()));
  }
}

TEST_CASE("what the host computes from data of the device stays what it was",
          "[emulator][remote][replay]") {
  const TestFolder folder("replayed");
  for (const char* scenario : {"host-answer", "encoded"}) {
    INFO(scenario);
    const Replayed replayed = replay(folder, scenario);
    CHECK(replayed.problem.empty());
    CHECK(replayed.host_reads == kAll);
    CHECK(replayed.outputs == outputs_of(folder, scenario, inputs()));
  }
}

TEST_CASE("a number that the host reads and goes on with is few bytes",
          "[emulator][remote][replay]") {
  const TestFolder folder("replayed");
  const Replayed replayed = replay(folder, "until-small");
  CHECK(replayed.host_reads == sizeof(float));
  CHECK(replayed.outputs != outputs_of(folder, "until-small", other_inputs()));
}

TEST_CASE("bytes that come back after the last work are not counted",
          "[emulator][remote][replay]") {
  const TestFolder folder("replayed");
  CHECK(replay(folder, "kernel").host_reads == 0);
  CHECK(replay(folder, "host-arrays").host_reads == 0);
}

TEST_CASE("bytes of an output in host memory count if others take their place",
          "[emulator][remote][replay]") {
  const TestFolder folder("replayed");
  const Replayed in_halves = replay(folder, "in-halves");
  CHECK(in_halves.host_reads == 0);
  CHECK(in_halves.output_reads == kAll / 2);
  CHECK(in_halves.outputs == outputs_of(folder, "in-halves", other_inputs()));
  const Replayed message = replay(folder, "message-in-output");
  CHECK(message.host_reads > kAll * 9 / 10);  // some bytes of the answer are those of the message
  CHECK(message.outputs == outputs_of(folder, "message-in-output", inputs()));
}

TEST_CASE("an output that the host writes itself cannot be done again",
          "[emulator][remote][replay]") {
  const TestFolder folder("replayed");
  CHECK(replay(folder, "moved-by-host").problem == "the host wrote an output itself");
}

TEST_CASE("the report is the same with a replay and without", "[emulator][remote][replay]") {
  const TestFolder folder("replayed");
  for (const char* scenario : {"kernel", "graph", "managed", "until-small", "host-arrays"}) {
    INFO(scenario);
    const Replayed replayed = replay(folder, scenario);
    run(folder, scenario,
        "WARPSIM_DATA_FLOW=1 WARPSIM_JSON='" + (folder / "report.json").string() + "'");
    CHECK(replayed.report == text_of(folder / "report.json"));
  }
}

}  // namespace
