// Tests of the whole worker: a real process that runs kernels, judged by the parent's side.

#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/case/case.h"
#include "harness/case/shared_inputs.h"
#include "harness/case/timed_case.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

// In the order of probe.cu.
enum Mode {
  kRight,
  kWritesInput,
  kWritesPastHostBuffer,
  kReadsPastHostBuffer,
  kLeavesError,
  kLeaks,
  kExits,
  kWritesNothing,
  kAllocates,
  kResets,
  kRemembers,
  kComesFirst,
  kOpens,
  kDescribes
};

constexpr std::int64_t kElements = 100;

Parameter array(const char* name, Role role, ElementType type, Memory memory) {
  Parameter parameter;
  parameter.name = name;
  parameter.role = role;
  parameter.type = type;
  parameter.memory = memory;
  parameter.shape = {Expression("n")};
  return parameter;
}

Parameter scalar(const char* name) {
  Parameter parameter;
  parameter.name = name;
  parameter.role = Role::scalar;
  parameter.type = ElementType::i32;
  parameter.value = Expression(name);
  return parameter;
}

/// The probe's lab: y = 2 x on the device, z = 7 on the host.
Lab probe_lab(Mode mode, std::uint32_t offset, std::int64_t elements = kElements) {
  Lab lab;
  lab.id = "probe";
  lab.parameters = {array("x", Role::input, ElementType::f32, Memory::device),
                    array("y", Role::output, ElementType::f32, Memory::device),
                    array("z", Role::output, ElementType::i32, Memory::host), scalar("n"),
                    scalar("mode")};
  Case spec;
  spec.name = "probe";
  spec.data.dims = {{"n", elements}, {"mode", mode}};
  spec.data.fills["x"].offset = offset;
  spec.data.output_offset = offset;
  lab.cases.push_back(spec);
  return lab;
}

std::shared_ptr<const CaseData> probe_data(const Lab& lab) {
  auto data = std::make_shared<CaseData>();
  data->lab = &lab;
  data->spec = lab.cases.data();
  data->inputs = make_inputs(lab, lab.cases[0], {});
  Expected& y = data->expected["y"];
  Expected& z = data->expected["z"];
  z.type = ElementType::i32;
  for (const float x : data->inputs.at("x").as<float>()) {
    y.want.push_back(2.0 * static_cast<double>(x));
    y.bound.push_back(0);
    z.exact.push_back(7);
  }
  return data;
}

CaseResult run_prepared(const PreparedCase& prepared, const std::string& locked = "") {
  // A deliberate crash should leave no core file, and the emulator print nothing.
  const std::string command = "ulimit -c 0; WARPSIM_QUIET=1 LD_LIBRARY_PATH='" +
                              std::string(WARPGRADE_TEST_RUNTIME) +
                              "' '" WARPGRADE_TEST_PROBE "' '" + prepared.request.string() + "' " +
                              locked + " > /dev/null 2>&1";
  [[maybe_unused]] const int ignored = std::system(command.c_str());
  CHECK_FALSE(std::filesystem::exists(prepared.request));
  return judge_case(prepared);
}

CaseResult run_probe(Mode mode, std::uint32_t offset = 0, const std::string& locked = "") {
  const Lab lab = probe_lab(mode, offset);
  const TemporaryFolder folder;
  return run_prepared(prepare_case(probe_data(lab), folder.path()), locked);
}

/// The probe's timed inputs: x counts up, so that windows are distinguishable.
class TimedProbe {
 public:
  explicit TimedProbe(Mode mode) : lab_(probe_lab(mode, 0)) {
    inputs.lab = &lab_;
    inputs.spec = lab_.cases[0];
    constexpr std::uint64_t kSlack = 50;
    std::string file(sizeof(float) * (kElements + kSlack), '\0');
    for (std::size_t i = 0; i < kElements + kSlack; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(file.data() + i * sizeof(float), &value, sizeof(float));
    }
    folder_.write("x.bin", file);
    inputs.files["x"] = {.path = folder_.path() / "x.bin", .windows = kSlack + 1};
    timing = prepare_timing(inputs, folder_.path() / "run", false);
  }

  void turn(const std::string& kind, const Windows& windows = {}) {
    give_turn(inputs, timing, kind, windows);
  }

  [[nodiscard]] Record run() const {
    const std::string command =
        "WARPSIM_QUIET=1 LD_LIBRARY_PATH='" + std::string(WARPGRADE_TEST_RUNTIME) +
        "' timeout 60 '" WARPGRADE_TEST_PROBE "' '" + timing.request.string() + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    return read_record(timing.folder / "record.txt", timing.nonce);
  }

  /// The output of call `number`.
  [[nodiscard]] std::string output(const std::string& name, int number) const {
    return folder_.read("run/out-" + name + ".bin." + std::to_string(number));
  }

  TimedInputs inputs;
  PreparedTiming timing;

 private:
  Lab lab_;
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a right function passes with device and host buffers", "[worker][process]") {
  const CaseResult result = run_probe(kRight);
  INFO(result.message);
  CHECK(result.status == CaseStatus::passed);
  CHECK(result.outputs.size() == 2);
  CHECK_FALSE(result.record.device.empty());
  CHECK(result.record.host_seconds > 0);
  CHECK(result.record.event_ms > 0);
  CHECK(result.record.leaked_bytes() == 0);
}

TEST_CASE("misaligned buffers work in both memories", "[worker][process]") {
  CHECK(run_probe(kRight, 3).status == CaseStatus::passed);
}

TEST_CASE("a second call of a process is judged, and the first is not", "[worker][process]") {
  for (const Mode mode : {kRight, kRemembers}) {
    const Lab small = probe_lab(mode, 0, 40);
    const Lab large = probe_lab(mode, 0);
    const TemporaryFolder folder;
    const CaseResult result =
        run_prepared(prepare_second_call(probe_data(small), probe_data(large), folder.path()));
    INFO(result.message);
    CHECK(result.status == (mode == kRight ? CaseStatus::passed : CaseStatus::wrong));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "first" / "out-y.bin"));
  }
  CHECK(run_probe(kRemembers).status == CaseStatus::passed);
}

TEST_CASE("the harness opens its files before any of the submission's code runs",
          "[worker][process]") {
  CHECK(run_probe(kComesFirst).status == CaseStatus::passed);
}

TEST_CASE("a locked worker writes its outputs, and cannot open anything", "[worker][process]") {
  CHECK(run_probe(kRight, 0, "locked").status == CaseStatus::passed);
  CHECK(run_probe(kOpens, 0, "locked").status == CaseStatus::passed);
  CHECK(run_probe(kOpens).status == CaseStatus::wrong);
  const CaseResult guarded = run_probe(kReadsPastHostBuffer, 0, "locked");
  CHECK(guarded.status == CaseStatus::incomplete);
  CHECK(guarded.message ==
        "Host code read past the end of the host buffer `z`; it was stopped 1 byte after the last "
        "element.");
}

TEST_CASE("workers read inputs from a file in memory that they share", "[worker][process]") {
  const Lab lab = probe_lab(kRight, 0);
  auto data = std::make_shared<CaseData>(*probe_data(lab));
  data->shared = std::make_shared<SharedInputs>(lab, data->inputs);
  for (const std::string locked : {"", "locked"}) {
    // The second worker finds the offset of the file where the first one has left it.
    const TemporaryFolder folder;
    const PreparedCase prepared =
        prepare_case(data, folder.path(), OutputStart::poison, InputsBy::descriptor);
    REQUIRE(prepared.descriptors.size() == 1);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "in-x.bin"));
    const auto [theirs, ours] = *prepared.descriptors.begin();
    REQUIRE(::dup2(ours, theirs) == theirs);
    const CaseResult result = run_prepared(prepared, locked);
    ::close(theirs);
    INFO(result.message);
    CHECK(result.status == CaseStatus::passed);
  }
}

TEST_CASE("a submission makes tensor maps without looking the driver's function up",
          "[worker][process]") {
  CHECK(run_probe(kDescribes, 0, "locked").status == CaseStatus::passed);
}

TEST_CASE("a modified device input is found", "[worker][process]") {
  const CaseResult result = run_probe(kWritesInput);
  CHECK(result.status == CaseStatus::broke_contract);
  CHECK(result.message == "The input `x` was modified: 1 element, the first at index 5.");
}

TEST_CASE("a write into a host buffer's canary is found", "[worker][process]") {
  // With an offset of 3 elements there is room between the buffer and the guard.
  const CaseResult result = run_probe(kWritesPastHostBuffer, 3);
  CHECK(result.status == CaseStatus::broke_contract);
  CHECK(result.message ==
        "Memory after the buffer `z` was overwritten: 1 byte, the nearest 3 bytes after the last "
        "element.");
}

TEST_CASE("a read past a host buffer is stopped and explained", "[worker][process]") {
  const CaseResult result = run_probe(kReadsPastHostBuffer);
  CHECK(result.status == CaseStatus::incomplete);
  CHECK(result.message ==
        "Host code read past the end of the host buffer `z`; it was stopped 1 byte after the last "
        "element.");
}

TEST_CASE("an error left behind is found", "[worker][process]") {
  const CaseResult result = run_probe(kLeavesError);
  CHECK(result.status == CaseStatus::cuda_error);
  CHECK(result.record.launch_error.has_value());
  CHECK(result.outputs.at(0).comparison.passed());
}

TEST_CASE("a device reset is reported with its effect on the caller's buffers",
          "[worker][process]") {
  const CaseResult result = run_probe(kResets);
  CHECK(result.status == CaseStatus::broke_contract);
  CHECK(result.message == "cudaDeviceReset destroyed the caller's buffers: remove the call.");
  CHECK_FALSE(result.record.launch_error.has_value());
  CHECK_FALSE(result.record.sync_error.has_value());
}

TEST_CASE("a reset in a timed call does not disturb later calls", "[worker][process][timing]") {
  TimedProbe probe(kResets);
  probe.turn("warm", {{"x", 20}});
  probe.turn("run");
  probe.turn("stop");
  CHECK(probe.run().timed_calls.size() == 1);
}

TEST_CASE("device memory that is not freed is counted", "[worker][process]") {
  const CaseResult result = run_probe(kLeaks);
  CHECK(result.status == CaseStatus::passed);
  CHECK(result.record.leaked_bytes() >= std::uint64_t{1} << 20U);
}

TEST_CASE("an early exit leaves no complete record", "[worker][process]") {
  const CaseResult result = run_probe(kExits);
  CHECK(result.status == CaseStatus::incomplete);
  CHECK(result.message == "The program ended inside the function, before the harness finished.");
}

TEST_CASE("timed calls get other windows of the inputs, and write the requested outputs",
          "[worker][process][timing]") {
  TimedProbe probe(kRight);
  TimedInputs& inputs = probe.inputs;
  Expected& y = inputs.expected["y"];
  Expected& z = inputs.expected["z"];
  z.type = ElementType::i32;
  for (std::int64_t i = 0; i < kElements; ++i) {
    y.want.push_back(2.0 * static_cast<double>(i));
    y.bound.push_back(0);
    z.exact.push_back(7);
  }
  probe.turn("warm", {{"x", 20}});
  probe.turn("run");
  probe.turn("save");
  probe.turn("run", {{"x", 50}});
  probe.turn("save");
  probe.turn("run", {{"x", 10}});
  probe.turn("stop");
  const Record record = probe.run();
  CHECK(record.complete());
  CHECK(record.ready);
  REQUIRE(record.timed_calls.size() == 3);
  CHECK(record.timed_calls[2].number == 2);
  CHECK(record.saved_calls == 2);
  CHECK(record.timed_calls[2].event_ms > 0);
  CHECK(record.timed_calls[2].host_ms > 0);
  CHECK_FALSE(wrong_by_golden(inputs, probe.timing, 0).has_value());
  // The second call's inputs begin at 50: its outputs differ, and are right for them.
  CHECK(wrong_by_golden(inputs, probe.timing, 1) ==
        "`y` is wrong at 100 of 100 elements, the first at index 0: 100, not 0.");
  CHECK_FALSE(wrong_by_reference(inputs, probe.timing, probe.timing, 1).has_value());
  CHECK(wrong_by_golden(inputs, probe.timing, 2) == "`y` was not written in full.");
  remove_outputs(inputs, probe.timing, 0);
  CHECK(wrong_by_golden(inputs, probe.timing, 0) == "`y` was not written in full.");
}

TEST_CASE("a timed call's input can be parts of its file in a random order",
          "[worker][process][timing]") {
  TimedProbe probe(kRight);
  probe.turn("warm", {{"x", kMixedWindow | 1}});
  probe.turn("run", {{"x", kMixedWindow | 2}});
  probe.turn("save");
  probe.turn("stop");
  REQUIRE(probe.run().saved_calls == 1);
  const std::string bytes = probe.output("y", 0);
  std::vector<float> y(kElements);
  REQUIRE(bytes.size() == y.size() * sizeof(float));
  std::memcpy(y.data(), bytes.data(), bytes.size());
  bool all_in_order = true;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t begin = i / 32 * 32;
    CHECK(y[i] == y[begin] + 2 * static_cast<float>(i - begin));  // y = 2 x, and x counts up
    all_in_order = all_in_order && y[i] == 2 * static_cast<float>(i);
  }
  CHECK_FALSE(all_in_order);
}

TEST_CASE("timed calls reuse device memory that earlier calls freed, with other contents",
          "[worker][process][timing]") {
  TimedProbe probe(kAllocates);
  probe.turn("warm", {{"x", 20}});
  for (int call = 0; call < 2; ++call) {
    probe.turn("run");
    probe.turn("save");
  }
  probe.turn("stop");
  REQUIRE(probe.run().saved_calls == 2);
  std::array<std::int32_t, 4> first{};
  std::array<std::int32_t, 4> second{};
  REQUIRE(probe.output("z", 0).copy(reinterpret_cast<char*>(first.data()), sizeof(first)) == 16);
  REQUIRE(probe.output("z", 1).copy(reinterpret_cast<char*>(second.data()), sizeof(second)) == 16);
  CHECK(first == second);  // the address, first of all
  CHECK(static_cast<std::uint32_t>(first[2]) == 0xa5a5a5a5);
  CHECK(first[3] == 1);  // cudaErrorInvalidValue of the second cudaFree
}

TEST_CASE("outputs that were not written are poison on the device and on the host",
          "[worker][process]") {
  const CaseResult result = run_probe(kWritesNothing);
  CHECK(result.status == CaseStatus::wrong);
  CHECK(result.outputs.at(0).pattern.kind == PatternKind::unwritten);
  CHECK(result.outputs.at(1).pattern.kind == PatternKind::unwritten);
}

}  // namespace warpgrade
