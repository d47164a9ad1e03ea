// What the emulator reports of a call that a harness announces: where the output came from, and
// which work led to it. The calls are in announced.cu.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "emulator/cudart/outputs_file.h"

#include <unistd.h>

namespace {

using nlohmann::json;

/// The report of one scenario.
json report_of(const std::string& scenario) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("announced-" + std::to_string(::getpid()) + ".json");
  const std::string command =
      "WARPSIM_DATA_FLOW=1 '" WARPSIM_PROGRAM "' --separate --error-exitcode 0 --json '" +
      file.string() + "' -- '" ANNOUNCED_PROGRAM "' " + scenario + " > /dev/null 2>&1";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  json report = json::parse(std::ifstream(file));
  std::filesystem::remove(file);
  return report;
}

const json& kernel(const json& report, const std::string& name) {
  for (const json& k : report.at("kernels")) {
    if (k.at("name").get<std::string>().find(name) != std::string::npos) return k;
  }
  FAIL("no kernel " << name);
  return report;
}

/// A counter of what led to the output.
double reaching(const json& kernel, const std::string& counter) {
  const json& own = kernel.at("reaching").at("counters");
  return own.contains(counter) ? own.at(counter).get<double>()
                               : kernel.at("counters").at(counter).get<double>();
}

constexpr const char* kMultiplyAdds = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr const char* kSharedLoads = "smsp__inst_executed_op_shared_ld.sum";
constexpr const char* kLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kStores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";

const json& only_writer(const json& report) {
  const json& outputs = report.at("call").at("outputs");
  REQUIRE(outputs.size() == 1);
  REQUIRE(outputs.at(0).at("writers").size() == 1);
  return outputs.at(0).at("writers").at(0);
}

bool has_finding(const json& report, const std::string& kind, const std::string& words) {
  for (const json& f : report.at("findings")) {
    if (f.at("kind") == kind &&
        f.at("message").get<std::string>().find(words) != std::string::npos) {
      return true;
    }
  }
  return false;
}

bool has_pitfall(const json& report, const std::string& kind, const std::string& pitfall) {
  return std::ranges::any_of(report.at("findings"), [&](const json& f) {
    return f.at("kind") == kind && f.at("pitfall") == pitfall;
  });
}

TEST_CASE("honest work all counts, whatever it looks like", "[emulator][remote][data-flow]") {
  for (const auto& [scenario, name] : {std::pair{"scale", "scale"},
                                       {"early-exit", "early_exit"},
                                       {"some-blocks", "some_blocks"},
                                       {"prints", "prints"},
                                       {"by-call", "by_call"},
                                       {"by-condition", "by_condition"},
                                       {"by-local-array", "by_local_array"},
                                       {"by-shuffle-and-atomic", "by_shuffle_and_atomic"},
                                       {"in-place", "in_place"},
                                       {"two-stages", "scale"},
                                       {"flag-for-the-host", "set_flag"},
                                       {"finished-on-host", "scale"},
                                       {"filled-before", "early_exit"}}) {
    INFO(scenario);
    const json report = report_of(scenario);
    const json& k = kernel(report, name);
    INFO(k.dump(1));
    CHECK(k.at("reaching").at("launches") == k.at("launches"));
    for (const char* counter :
         {kMultiplyAdds, kSharedLoads, kLoads, kStores, "barriers", "blocks"}) {
      INFO(counter);
      CHECK(reaching(k, counter) == k.at("counters").at(counter).get<double>());
    }
    CHECK(report.at("call").at("input_copies").empty());
  }
}

TEST_CASE("work that is thrown away in a kernel does not count", "[emulator][remote][data-flow]") {
  for (const auto& [scenario, name] : {std::pair{"thrown-away", "thrown_away"},
                                       {"thrown-away-first", "thrown_away_first"},
                                       {"thrown-away-in-call", "thrown_away_in_call"}}) {
    INFO(scenario);
    const json report = report_of(scenario);
    const json& k = kernel(report, name);
    INFO(k.dump(1));
    CHECK(k.at("counters").at(kMultiplyAdds) == 8 * 4096);
    CHECK(reaching(k, kMultiplyAdds) == 0);
    CHECK(reaching(k, kSharedLoads) == 0);
    CHECK(reaching(k, "barriers") == 0);
    CHECK(reaching(k, kStores) == 128);
    CHECK(reaching(k, kLoads) == 128);
  }
}

TEST_CASE("a kernel whose results nobody reads does not count", "[emulator][remote][data-flow]") {
  for (const char* scenario : {"busywork-kernel", "busywork-overwritten"}) {
    INFO(scenario);
    const json report = report_of(scenario);
    const json& busy = kernel(report, "scale");
    CHECK(busy.at("reaching").at("launches") == 0);
    CHECK(reaching(busy, kMultiplyAdds) == 0);
    CHECK(reaching(busy, "blocks") == 0);
    CHECK(kernel(report, "forward").at("reaching").at("launches") == 1);
  }
}

TEST_CASE("an output's writer is known, and what it had read", "[emulator][remote][data-flow]") {
  const json scaled = only_writer(report_of("scale"));
  CHECK(scaled.at("kind") == "kernel");
  CHECK(scaled.at("name").get<std::string>().find("scale") != std::string::npos);
  CHECK(scaled.at("file").get<std::string>().ends_with("announced.cu"));
  CHECK(scaled.at("line") > 0);
  CHECK(scaled.at("bytes") == 4096 * 4);
  CHECK(scaled.at("inputs") == json{"in"});
  CHECK(scaled.at("host_bytes") == 0);

  CHECK(only_writer(report_of("two-stages")).at("inputs") == json{"in"});
  CHECK(only_writer(report_of("in-place")).at("inputs") == json{"in"});

  const json counted = only_writer(report_of("from-nothing"));
  CHECK(counted.at("inputs").empty());
  CHECK(counted.at("host_bytes") == 0);
  CHECK(counted.at("varied") == true);
}

TEST_CASE("a kernel that forwards the host's answer is named", "[emulator][remote][data-flow]") {
  const json report = report_of("host-answer-by-kernel");
  const json& writer = only_writer(report);
  CHECK(writer.at("kind") == "kernel");
  CHECK(writer.at("inputs").empty());
  CHECK(writer.at("host_bytes") == 4096 * 4);
  CHECK(writer.at("unexplained_bytes") == 4096 * 4);
  const json& copies = report.at("call").at("input_copies");
  REQUIRE(copies.size() == 1);
  CHECK(copies.at(0).at("input") == "in");
  CHECK(copies.at(0).at("bytes") == 4096 * 4);
  CHECK(copies.at(0).at("line") > 0);

  const json copied = only_writer(report_of("host-answer"));
  CHECK(copied.at("kind") == "host-copy");
  CHECK(copied.at("unexplained_bytes") == 4096 * 4);
}

TEST_CASE("inputs that only pass through the host, and sums that it finishes, are told apart",
          "[emulator][remote][data-flow]") {
  const json staged = only_writer(report_of("through-host"));
  CHECK(staged.at("inputs") == json{"in"});
  CHECK(staged.at("host_bytes") == 0);
  const json finished = only_writer(report_of("finished-on-host"));
  CHECK(finished.at("kind") == "host-copy");
  CHECK(finished.at("host_bytes") == 4096 * 4);
  CHECK(finished.at("unexplained_bytes") == 0);
}

TEST_CASE("a value that is the same in every element is distinguished from an answer",
          "[emulator][remote][data-flow]") {
  const json report = report_of("filled-before");
  const json& writers = report.at("call").at("outputs").at(0).at("writers");
  REQUIRE(writers.size() == 2);
  CHECK(writers.at(0).at("name").get<std::string>().find("fill_with") != std::string::npos);
  CHECK(writers.at(0).at("varied") == false);
  CHECK(writers.at(1).at("varied") == true);
}

TEST_CASE("findings name an argument's memory by the argument, and the function's own by its call",
          "[emulator][remote]") {
  const json report = report_of("past-the-end");
  INFO(report.at("findings").dump(1));
  CHECK(has_finding(report, "oob-global-read", "past the end of `in` (16384 bytes)"));
  CHECK(has_finding(report, "oob-global-write", "past the end of cudaMalloc #3 (16384 bytes)"));
}

TEST_CASE("two threads that write one element of an output compute the same index",
          "[emulator][remote][races]") {
  const auto advice = [](const json& report) -> std::string {
    for (const json& f : report.at("findings")) {
      if (f.at("kind") == "race-same-value") return f.at("next");
    }
    return report.at("findings").dump(1);
  };
  CHECK(advice(report_of("no-guard")) ==
        "Two threads compute the same index. If each has an element of its own, a bounds check is "
        "missing, or the index leaves out a part of the thread's position.");
  const json wrong = report_of("no-guard-of-other-values");
  INFO(wrong.at("findings").dump(1));
  CHECK(has_pitfall(wrong, "race-global", "P4"));
  CHECK_FALSE(has_pitfall(wrong, "race-global", "P22"));
  CHECK(has_pitfall(report_of("no-guard-of-other-scratch"), "race-global", "P39"));
  // Whether each thread should have an element of it is not known.
  CHECK(advice(report_of("no-guard-of-scratch")) ==
        "It works as long as the values are equal; let one thread write, for example with "
        "`if (threadIdx.x == 0)`.");
}

TEST_CASE("memory that only an exit handler frees is a leak", "[emulator][remote][leaks]") {
  const json late = report_of("freed-at-exit");
  CHECK(has_finding(late, "leak", "was freed only when the program ended"));
  const json good = report_of("freed-by-destructor");
  INFO(good.at("findings").dump(1));
  CHECK(good.at("findings").empty());
}

/// What the device process delivers of one scenario.
std::optional<warpsim::cudart::DeliveredCall> delivered_by(const std::string& scenario) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("delivered-" + std::to_string(::getpid()));
  std::filesystem::remove(file);
  const std::string command = "WARPSIM_CALL_OUTPUTS='" + file.string() +
                              "' '" WARPSIM_PROGRAM "' --separate -- '" ANNOUNCED_PROGRAM "' " +
                              scenario + " > /dev/null 2>&1";
  INFO(command);
  const int status = std::system(command.c_str());
  CHECK((status == 0) == (scenario != "launched-late"));
  const auto call = warpsim::cudart::read_outputs(file);
  std::filesystem::remove(file);
  return call;
}

/// The elements that are not 2 x + 1.
std::size_t wrong_elements(const warpsim::cudart::DeliveredArray& output) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < output.content.size() / sizeof(float); ++i) {
    float value = 0;
    std::memcpy(&value, output.content.data() + i * sizeof(float), sizeof value);
    wrong += value != 2.0f * (static_cast<float>(i % 1013) * 0.25f) + 1.0f ? 1 : 0;
  }
  return wrong;
}

TEST_CASE("the device delivers the output as it is at the end of the call",
          "[emulator][remote][delivered]") {
  for (const char* scenario : {"scale", "changed-late", "host-direct", "host-staged", "host-late",
                               "host-registered", "host-managed"}) {
    INFO(scenario);
    const auto call = delivered_by(scenario);
    REQUIRE(call);
    CHECK(call->violation.empty());
    REQUIRE(call->arrays.size() == 2);
    CHECK(call->arrays[0].name == "in");
    CHECK(call->arrays[0].content.empty());
    const auto& output = call->arrays[1];
    CHECK(output.content.size() == 4096 * 4);
    CHECK(wrong_elements(output) == 0);
    CHECK(output.foreign_bytes == 0);
    CHECK(call->sent_bytes == (output.on_host ? 4096 * 4 : 0));
  }
}

TEST_CASE("bytes of an output that the device did not send to the host are counted",
          "[emulator][remote][delivered]") {
  const auto computed = delivered_by("host-computed");
  REQUIRE(computed);
  CHECK(wrong_elements(computed->arrays[1]) == 0);
  // Every other sum is also an input, which the device had sent.
  CHECK(computed->arrays[1].foreign_bytes > 1500 * 4);

  const auto changed = delivered_by("host-changed");
  REQUIRE(changed);
  CHECK(changed->arrays[1].foreign_bytes == 4);
  CHECK(changed->arrays[1].first_foreign == 1234 * 4);

  // What host code writes to managed memory is not the kernel's.
  const auto beside = delivered_by("host-beside-managed");
  REQUIRE(beside);
  CHECK(beside->sent_bytes == 4);
  CHECK(beside->arrays[1].foreign_bytes == 4095 * 4);
}

TEST_CASE("a launch after the end takes what was delivered", "[emulator][remote][delivered]") {
  const auto call = delivered_by("launched-late");
  REQUIRE(call);
  CHECK(call->violation == "called launch after the harness's call had ended");
  CHECK(call->arrays.empty());
}

}  // namespace
