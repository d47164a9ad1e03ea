#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "emulator/cudart/tests/run.h"

// Whole runs: a program with one mistake under the launcher; checks messages, report and exit code.

namespace {

using warpsim::testing::Run;
using warpsim::testing::run;
using warpsim::testing::slurp;
namespace fs = std::filesystem;

Run scenario(const std::string& name, std::vector<std::string> options = {}) {
  std::vector<std::string> command = {WARPSIM_LAUNCHER, "--json", "REPORT"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", WARPSIM_SCENARIOS, name});
  return run(std::move(command));
}

using Kinds = std::vector<std::string>;

}  // namespace

TEST_CASE("a clean program runs as ever and has no findings", "[cudart][scenario]") {
  const Run run = scenario("clean");
  CHECK(run.exit_code() == 0);
  CHECK(run.out == "last 99\n");
  CHECK(run.err == "warpsim: no findings\n");
  CHECK(run.kinds() == Kinds{});
  CHECK(run.report["kernels"][0]["name"] == "(anonymous namespace)::fill(int*, int)");
  CHECK(run.report["kernels"][0]["launches"] == 1);
  CHECK(run.report["device"]["id"] == "a100");
}

TEST_CASE("the report has transfers and the timeline, and a trace can be written",
          "[cudart][scenario]") {
  const fs::path trace_file =
      fs::temp_directory_path() / ("trace." + std::to_string(::getpid()) + ".json");
  const Run run = scenario("clean", {"--trace", trace_file.string()});
  CHECK(run.exit_code() == 0);
  const auto& transfers = run.report["transfers"];
  CHECK(transfers["copies_to_host"] == 1);
  CHECK(transfers["synchronous_copies_to_host"] == 1);
  CHECK(transfers["pageable_bytes_to_host"] == transfers["bytes_to_host"]);
  CHECK(transfers["copies_to_device"] == 0);
  Kinds kinds;
  double end = 0;
  for (const auto& operation : run.report["timeline"]["operations"]) {
    kinds.push_back(operation["kind"]);
    CHECK(operation["begin_ms"] >= 0);
    end = std::max(end, operation["end_ms"].get<double>());
  }
  CHECK(kinds == Kinds{"kernel", "copy", "host-wait"});
  CHECK(run.report["timeline"]["end_ms"] >= end);
  CHECK(run.report["timeline"]["overlap_ms"] == 0);

  const auto trace = nlohmann::json::parse(slurp(trace_file.string()));
  fs::remove(trace_file);
  const auto& events = trace.at("traceEvents");
  CHECK(std::ranges::count_if(events, [](const auto& e) { return e.at("ph") == "X"; }) == 5);
  const Run again = scenario("clean");
  CHECK(again.report["timeline"] == run.report["timeline"]);
}

TEST_CASE("findings go to a file as SARIF, and to standard error as annotations",
          "[cudart][scenario]") {
  const fs::path file =
      fs::temp_directory_path() / ("findings." + std::to_string(::getpid()) + ".sarif");
  const Run quiet = run({WARPSIM_LAUNCHER, "--format", "sarif", "--output", file.string(), "--",
                         WARPSIM_SCENARIOS_WITH_LINES, "leak"});
  CHECK(quiet.err.empty());
  const auto document = nlohmann::json::parse(slurp(file.string()));
  fs::remove(file);
  const auto& results = document.at("runs").at(0).at("results");
  REQUIRE(results.size() == 1);
  CHECK(results.at(0).at("ruleId") == "leak");

  const Run github =
      run({WARPSIM_LAUNCHER, "--format", "github", "--", WARPSIM_SCENARIOS_WITH_LINES, "leak"});
  CHECK(github.err.starts_with("::error file="));
  const Run unknown = run({WARPSIM_LAUNCHER, "--format", "xml", "--", WARPSIM_SCENARIOS, "leak"});
  CHECK(unknown.exit_code() == 2);
  CHECK(unknown.err.find("known: text, json, sarif, github") != std::string::npos);
}

TEST_CASE("a program that never uses the device has no findings either", "[cudart][scenario]") {
  const Run run = scenario("nothing");
  CHECK(run.exit_code() == 0);
  CHECK(run.err == "warpsim: no findings\n");
  CHECK(run.report["summary"]["launches"] == 0);
}

TEST_CASE("the program's own exit code is kept when there is nothing to report",
          "[cudart][scenario]") {
  CHECK(scenario("status_7").exit_code() == 7);
}

TEST_CASE("a leak is reported with its size and location", "[cudart][scenario]") {
  const Run run = scenario("leak");
  CHECK(run.exit_code() == 99);
  REQUIRE(run.kinds() == Kinds{"leak"});
  const auto leak = run.finding("leak");
  CHECK(leak["pitfall"] == "P46");
  CHECK(leak["severity"] == "error");
  CHECK(leak["message"] == "cudaMalloc #1 (400 bytes) was never freed");
  CHECK(leak["where"].get<std::string>().starts_with("cudaMalloc called from device_ints+0x"));
  CHECK(run.err.ends_with("\nwarpsim: 1 error\n"));
}

TEST_CASE("memory freed by a global object's destructor is not a leak", "[cudart][scenario]") {
  CHECK(scenario("freed_by_global_destructor").kinds() == Kinds{});
}

TEST_CASE("a device reset with memory allocated is a leak, once", "[cudart][scenario]") {
  const Run run = scenario("reset_with_memory");
  CHECK(run.kinds() == Kinds{"leak"});
  CHECK(run.finding("leak")["count"] == 1);
}

TEST_CASE(
    "without the library for names there are findings, and one message about the missing names",
    "[cudart][scenario]") {
  const fs::path folder =
      fs::temp_directory_path() / ("cudart_alone." + std::to_string(::getpid()));
  fs::create_directories(folder);
  fs::copy(fs::path(WARPSIM_LIBRARY_FOLDER) / "libcudart.so.13", folder,
           fs::copy_options::overwrite_existing);
  const Run run =
      ::run({"/usr/bin/env", "LD_LIBRARY_PATH=" + folder.string(), WARPSIM_SCENARIOS, "leak"});
  fs::remove_all(folder);
  CHECK(run.err.find("#1 (400 bytes) was never freed") != run.err.npos);
  const std::string loss = "warpsim: findings name no functions and lines of host code: ";
  const std::size_t at = run.err.find(loss);
  REQUIRE(at != run.err.npos);
  CHECK(run.err.find("libwarpsim_symbols.so", at) != run.err.npos);
  CHECK(run.err.find(loss, at + 1) == run.err.npos);
}

TEST_CASE("findings of a program with line information have the line", "[cudart][scenario]") {
  std::ifstream source(WARPSIM_SCENARIO_SOURCE);
  std::string text;
  int line = 1;
  while (std::getline(source, text) && text.find("cudaMalloc(&device") == text.npos) ++line;
  const Run result =
      run({WARPSIM_LAUNCHER, "--json", "REPORT", "--", WARPSIM_SCENARIOS_WITH_LINES, "leak"});
  const auto leak = result.finding("leak");
  CHECK(leak["file"] == "scenarios.cu");
  CHECK(leak["line"] == line);
  CHECK(leak["where"] ==
        "scenarios.cu:" + std::to_string(line) + ": cudaMalloc called from device_ints");
}

TEST_CASE("leaks can be left out of the checks", "[cudart][scenario]") {
  const Run run = scenario("leak", {"--check", "bounds,unwritten"});
  CHECK(run.exit_code() == 0);
  CHECK(run.kinds() == Kinds{});
}

TEST_CASE("a second free says where the first was", "[cudart][scenario]") {
  const Run run = scenario("double_free");
  const auto finding = run.finding("double-free");
  CHECK(finding["pitfall"] == "P46");
  CHECK(finding["message"] == "cudaFree of cudaMalloc #1, 16 bytes, which was freed before");
  CHECK(finding["got"].get<std::string>().starts_with(
      "freed by cudaFree called from double_free+0x"));
}

TEST_CASE("a failed copy is a finding; whether its result was checked is unknown",
          "[cudart][scenario]") {
  const Run run = scenario("wrong_direction");
  CHECK(run.exit_code() == 99);
  CHECK(run.finding("wrong-copy-direction")["pitfall"] == "P43");
  CHECK(run.kinds() == Kinds{"wrong-copy-direction"});
}

TEST_CASE("a program that uses the missing result of a failed call did not check",
          "[cudart][scenario]") {
  const Run run = scenario("allocation_failed_unseen");
  const auto unchecked = run.finding("unchecked-error");
  CHECK(unchecked["pitfall"] == "P41");
  CHECK(unchecked["severity"] == "warning");
  CHECK(unchecked["message"] ==
        "cudaMalloc failed with cudaErrorMemoryAllocation and the program did not check");
  CHECK(scenario("allocation_failed_seen").kinds() == Kinds{});
}

TEST_CASE("an error whose text was printed counts as checked", "[cudart][scenario]") {
  const Run run = scenario("copy_past_end");
  CHECK(run.kinds() == Kinds{"oob-copy"});
  CHECK(run.out == "invalid argument\n");
}

TEST_CASE("copying uninitialized memory is a warning", "[cudart][scenario]") {
  const Run run = scenario("unwritten_copy");
  CHECK(run.exit_code() == 0);
  const auto finding = run.finding("unwritten-copy");
  CHECK(finding["severity"] == "warning");
  CHECK(finding["got"] == "first uninitialized byte at offset 256 of 400");
}

TEST_CASE("a constant copied by its host address is distinguished from a wrong direction",
          "[cudart][scenario]") {
  const Run run = scenario("symbol_by_address");
  const auto finding = run.finding("symbol-copied-by-address");
  CHECK(finding["pitfall"] == "P47");
  CHECK(finding["message"] ==
        "the destination of cudaMemcpy is the host's shadow of the device variable "
        "`weights`");
}

TEST_CASE("a launch that fails in silence is an illegal launch and an unchecked error",
          "[cudart][scenario]") {
  const Run run = scenario("too_many_threads");
  CHECK(run.exit_code() == 99);
  const auto launch = run.finding("illegal-launch");
  CHECK(launch["pitfall"] == "P15");
  CHECK(launch["got"] == "grid (1,1,1), block (2048,1,1)");
  CHECK(launch["where"].get<std::string>().starts_with("<<<>>> called from too_many_threads+0x"));
  CHECK(run.finding("unchecked-error")["message"] ==
        "a launch failed with cudaErrorInvalidValue and the program did not check");
}

TEST_CASE("a launch whose error was queried is not an unchecked error", "[cudart][scenario]") {
  CHECK(scenario("too_many_threads_but_checked").kinds() == Kinds{"illegal-launch"});
}

TEST_CASE("host code that reads device memory ends with a report", "[cudart][scenario]") {
  const Run run = scenario("read_on_host");
  CHECK(run.signal() == SIGSEGV);
  CHECK(run.out == "before\n");
  const auto finding = run.finding("host-access-of-device-memory");
  CHECK(finding["pitfall"] == "P44");
  CHECK(finding["message"] ==
        "host code dereferences a pointer to device memory (cudaMalloc #1, 16 bytes)");
  CHECK(finding["got"] == "byte offset 4");
  CHECK(finding["where"].get<std::string>().starts_with("read_on_host+0x"));
  CHECK(run.err.ends_with("\nwarpsim: 1 error\n"));
}

TEST_CASE("a memcpy of device memory is blamed on its caller", "[cudart][scenario]") {
  const Run run = scenario("memcpy_on_host");
  CHECK(run.signal() == SIGSEGV);
  const auto where = run.finding("host-access-of-device-memory")["where"].get<std::string>();
  CHECK(where.starts_with("memcpy_on_host+0x"));
}

TEST_CASE("an ordinary null dereference has no finding, but the report is written",
          "[cudart][scenario]") {
  const Run run = scenario("null_dereference");
  CHECK(run.signal() == SIGSEGV);
  CHECK(run.kinds() == Kinds{});
}

TEST_CASE("the report survives abort, termination and exit", "[cudart][scenario]") {
  const Run aborted = scenario("host_assert");
  CHECK(aborted.signal() == SIGABRT);
  CHECK(aborted.kinds() == Kinds{"double-free"});
  const Run terminated = scenario("terminated");
  CHECK(terminated.signal() == SIGTERM);
  CHECK(terminated.kinds() == Kinds{"oob-global-write"});
  const Run left = scenario("exit_in_the_middle");
  CHECK(left.out == "leaving");
  CHECK(left.exit_code() == 99);
  CHECK(left.kinds() == Kinds{"leak"});
}

TEST_CASE("a repeated signal does not prevent the report", "[cudart][scenario]") {
  const Run run = scenario("terminated_twice");
  CHECK(run.signal() == SIGTERM);
  CHECK(run.kinds() == Kinds{"oob-global-write"});
}

TEST_CASE("a program adds vectors on two devices", "[cudart][scenario]") {
  for (const bool separate : {false, true}) {
    std::vector<std::string> options = {"--devices", "2"};
    if (separate) options.emplace_back("--separate");
    const Run run = scenario("two_devices", options);
    CHECK(run.exit_code() == 0);
    CHECK(run.out == "0 wrong\n");
    CHECK(run.kinds() == Kinds{});
    CHECK(run.report["kernels"][0]["launches"] == 2);
    CHECK(run.report["transfers"]["bytes_between_devices"] == 200000);
    const auto& transfers = run.report["transfers"];
    CHECK(transfers["kernel_devices"] == 2);
    CHECK(transfers["most_bytes_to_one_device"] < transfers["bytes_to_device"]);
    // One timeline for each device, and the copy takes an engine of both.
    std::set<int> devices;
    for (const auto& operation : run.report["timeline"]["operations"]) {
      if (operation["kind"] == "kernel") devices.insert(operation["device"].get<int>());
      if (operation["name"] != "cudaMemcpyPeer") continue;
      CHECK(operation["from_device"] == 1);
      CHECK(operation["to_device"] == 0);
    }
    CHECK(devices == std::set<int>{0, 1});
  }
}

TEST_CASE("a program that is killed leaves a note of the running kernel", "[cudart][scenario]") {
  const fs::path note =
      fs::temp_directory_path() / ("warpsim_progress." + std::to_string(::getpid()));
  ::setenv("WARPSIM_PROGRESS", note.c_str(), 1);
  const Run killed = scenario("killed_in_kernel");
  const std::string text = slurp(note);
  const Run clean = scenario("clean");
  const std::string text_after = slurp(note);
  ::unsetenv("WARPSIM_PROGRESS");
  fs::remove(note);

  CHECK(killed.signal() == SIGKILL);
  REQUIRE(text.size() == 4096);
  CHECK(text[0] >= 1);
  CHECK(std::string(text.c_str() + 8) ==
        "kernel (anonymous namespace)::count_for_minutes(unsigned int volatile*)\n"
        "grid 1 1 1\nblock 16 2 1\n");
  CHECK(clean.exit_code() == 0);
  REQUIRE(text_after.size() == 4096);
  CHECK(text_after[8] == '\0');
}

TEST_CASE("a program that is killed leaves the findings of its kernels", "[cudart][scenario]") {
  const Run run = scenario("killed");
  CHECK(run.signal() == SIGKILL);
  CHECK(run.kinds() == Kinds{"oob-global-write"});
}

TEST_CASE("an unsupported call is reported once, and the program continues", "[cudart][scenario]") {
  const Run run = scenario("unsupported");
  CHECK(run.exit_code() == 0);
  CHECK(run.err.starts_with(
      "warpsim: cudaGraphDebugDotPrint is not supported by the emulator yet\n"));
  CHECK(run.kinds() == Kinds{"unsupported-api"});
  CHECK(run.finding("unsupported-api")["count"] == 1);
}

TEST_CASE("options choose the card, the exit code and silence", "[cudart][scenario]") {
  const Run run = scenario("leak", {"--card", "h200", "--error-exitcode", "3", "--quiet"});
  CHECK(run.exit_code() == 3);
  CHECK(run.err == "");
  CHECK(run.report["device"]["name"] == "NVIDIA H200");
  CHECK(scenario("leak", {"--error-exitcode", "0"}).exit_code() == 0);
}

TEST_CASE("the counter table names the kernel", "[cudart][scenario]") {
  const Run run = scenario("clean", {"--counters"});
  CHECK(
      run.err.starts_with("(anonymous namespace)::fill(int*, int)\n"
                          "  launches             1, grid (1,1,1), block (128,1,1)\n"));
}

TEST_CASE("a launcher's mistakes are one line and exit codes 2 and 3", "[warpsim][scenario]") {
  const auto launcher = [](std::vector<std::string> words) {
    words.insert(words.begin(), WARPSIM_LAUNCHER);
    return run(std::move(words));
  };
  const Run nothing = launcher({});
  CHECK(nothing.exit_code() == 2);
  CHECK(nothing.err == "warpsim: which program? warpsim [options] -- program [arguments]\n");
  const Run option = launcher({"--jsn", "x", "--", "true"});
  CHECK(option.exit_code() == 2);
  CHECK(option.err == "warpsim: unknown option '--jsn'; warpsim --help lists them\n");
  const Run missing = launcher({"--", "./no_such_program"});
  CHECK(missing.exit_code() == 3);
  CHECK(missing.err == "warpsim: './no_such_program' does not exist\n");
  const Run folder = launcher({"--", "/"});
  CHECK(folder.exit_code() == 3);
  CHECK(folder.err == "warpsim: '/' is a folder\n");
  CHECK(launcher({"--card", "h20", "--", "true"}).exit_code() == 2);
  CHECK(launcher({"--devices", "0", "--", "true"}).exit_code() == 2);
  CHECK(launcher({"--devices", "17", "--", "true"}).exit_code() == 2);
}

TEST_CASE("a program without CUDA runs through the launcher unchanged", "[warpsim][scenario]") {
  const Run shell = run({WARPSIM_LAUNCHER, "sh", "-c", "echo $0 $1; exit 6", "a", "b"});
  CHECK(shell.exit_code() == 6);
  CHECK(shell.out == "a b\n");
  CHECK(shell.err == "");
}

TEST_CASE("for a statically linked runtime, the error says how to rebuild", "[warpsim][scenario]") {
  const Run linked = run({WARPSIM_LAUNCHER, WARPSIM_STATIC_PROGRAM});
  CHECK(linked.exit_code() == 3);
  CHECK(linked.err ==
        "warpsim: '" WARPSIM_STATIC_PROGRAM
        "' is statically linked with the CUDA runtime, so the emulator cannot replace it; "
        "rebuild it with NVCC_APPEND_FLAGS=\"-cudart shared -lineinfo\" in the environment of "
        "nvcc\n");
}

TEST_CASE("a bad setting in the environment ends the program with a message",
          "[cudart][scenario]") {
  const Run direct = run({"/usr/bin/env", "LD_LIBRARY_PATH=" WARPSIM_LIBRARY_FOLDER,
                          "WARPSIM_CARD=h20", WARPSIM_SCENARIOS, "clean"});
  CHECK(direct.exit_code() == 2);
  CHECK(direct.err ==
        "warpsim: unknown card 'h20'; known: t4, rtx3060, a40, a100, l4, rtx4090, h100, h200\n");
}

TEST_CASE("a report that cannot be written is an error message, and the run continues",
          "[cudart][scenario]") {
  const Run result = run({WARPSIM_LAUNCHER, "--json", "/nonexistent-folder/report.json", "--",
                          WARPSIM_SCENARIOS, "clean"});
  CHECK(result.exit_code() == 0);
  CHECK(result.err ==
        "warpsim: cannot write '/nonexistent-folder/report.json': No such file or directory\n"
        "warpsim: no findings\n");
}

TEST_CASE("a child of a process that uses the device cannot, and reports nothing of its own",
          "[cudart][scenario]") {
  const Run run = scenario("fork_after_use");
  CHECK(run.exit_code() == 5);
  CHECK(run.err == "warpsim: no findings\n");
  CHECK(run.kinds() == Kinds{});
  const Run idle = scenario("fork_that_exits");
  CHECK(idle.exit_code() == 0);
  CHECK(idle.err == "warpsim: no findings\n");
}

TEST_CASE("a child of a process that has not used the device may use it", "[cudart][scenario]") {
  const Run run = scenario("fork_before_use");
  CHECK(run.exit_code() == 0);
  CHECK(run.out == "last 99\n");
  // Once from the child that ran a kernel, once from the parent.
  CHECK(run.err == "warpsim: no findings\nwarpsim: no findings\n");
  CHECK(run.report["summary"]["launches"] == 0);
}

TEST_CASE("an exception that leaves main, and quick exits, keep the findings",
          "[cudart][scenario]") {
  const Run thrown = scenario("throws");
  CHECK(thrown.signal() == SIGABRT);
  CHECK(thrown.kinds() == Kinds{"oob-global-write"});
  const Run quick = scenario("quick_exit");
  CHECK(quick.exit_code() == 99);
  CHECK(quick.kinds() == Kinds{"oob-global-write"});
  CHECK(quick.err.ends_with("\nwarpsim: 1 error\n"));
  const Run at_once = scenario("underscore_exit");
  CHECK(at_once.exit_code() == 3);
  CHECK(at_once.kinds() == Kinds{"oob-global-write"});
}

TEST_CASE("several host threads may launch at once", "[cudart][scenario]") {
  const Run run = scenario("many_threads");
  CHECK(run.exit_code() == 0);
  CHECK(run.kinds() == Kinds{});
  CHECK(run.report["summary"]["launches"] == 160);
}

TEST_CASE("a report that does not fit on the disk is one message, and the exit code stays",
          "[cudart][scenario]") {
  const Run run = scenario("full_disk", {"--error-exitcode", "0", "--quiet"});
  CHECK(run.exit_code() == 0);
  CHECK(run.report.is_null());
  CHECK(run.err.starts_with("warpsim: cannot write '"));
  CHECK(run.err.ends_with("': File too large\n"));
  CHECK(std::ranges::count(run.err, '\n') == 1);
}

TEST_CASE("libraries with kernels can be loaded and unloaded", "[cudart][scenario]") {
  const Run run = ::run({"/usr/bin/env", "WARPSIM_TEST_PLUGIN=" WARPSIM_PLUGIN, WARPSIM_LAUNCHER,
                         "--json", "REPORT", "--", WARPSIM_SCENARIOS, "plugin"});
  CHECK(run.exit_code() == 0);
  CHECK(run.out == "last 99\n");
  CHECK(run.kinds() == Kinds{});
  CHECK(run.report["kernels"][0]["launches"] == 2);  // the library's
  CHECK(run.report["kernels"][1]["launches"] == 1);
}

TEST_CASE("a program that uses a library of the driver gets a message", "[cudart][scenario]") {
  const fs::path folder = fs::temp_directory_path() / ("warpsim-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto kinds = [&](const char* name) {
    fs::copy_file(WARPSIM_PLUGIN, folder / name, fs::copy_options::overwrite_existing);
    const std::string plugin = "WARPSIM_TEST_PLUGIN=" + (folder / name).string();
    const Run run = ::run({"/usr/bin/env", plugin, WARPSIM_LAUNCHER, "--json", "REPORT", "--",
                           WARPSIM_SCENARIOS, "library_for_good"});
    CHECK(run.exit_code() == 0);
    return run.kinds();
  };
  CHECK(kinds("libcurand.so.10") == Kinds{"unsupported-api"});
  CHECK(kinds("libcurandom.so") == Kinds{});
  fs::remove_all(folder);
}
