#include "grader/run/worker/undisturbed.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <vector>

namespace warpgrade {
namespace {

WorkerRun ended(ProcessEnd end, int code, double cpu_seconds = 0) {
  WorkerRun run{.process = {}, .limits = {}, .report = {}, .progress = {}};
  run.process.end = end;
  run.process.code = code;
  run.process.cpu_seconds = cpu_seconds;
  run.limits.cpu = std::chrono::seconds(10);
  return run;
}

/// How many times a case runs whose runs end like this, and how the last one ended.
std::pair<std::size_t, int> tries(const std::vector<WorkerRun>& runs) {
  std::size_t prepared = 0;
  std::size_t count = 0;
  const CaseRun run = run_undisturbed(
      [&] {
        ++prepared;
        return PreparedCase{};
      },
      [&](const PreparedCase&) { return runs.at(count++); });
  CHECK(prepared == count);
  return {count, run.run.process.code};
}

TEST_CASE("a run that was killed from outside is repeated once", "[run][killed]") {
  const WorkerRun killed = ended(ProcessEnd::signalled, SIGKILL);
  const WorkerRun well = ended(ProcessEnd::exited, 0);
  CHECK(tries({killed, well}) == std::pair<std::size_t, int>(2, 0));
  CHECK(tries({killed, killed}) == std::pair<std::size_t, int>(2, SIGKILL));
  CHECK(tries({well}).first == 1);
}

TEST_CASE("a run for which the machine was too busy is repeated once", "[run][killed]") {
  const WorkerRun starved = ended(ProcessEnd::starved, 0);
  CHECK(tries({starved, ended(ProcessEnd::exited, 0)}).first == 2);
  CHECK(tries({ended(ProcessEnd::out_of_time, 0)}).first == 1);
}

TEST_CASE("a run whose device process failed is repeated once", "[run][killed]") {
  WorkerRun without_device = ended(ProcessEnd::exited, 71);
  without_device.device_fault = "The emulator's device process was ended by SIGKILL.";
  CHECK(tries({without_device, ended(ProcessEnd::exited, 0)}) == std::pair<std::size_t, int>(2, 0));
}

TEST_CASE("a run that lost its memory is repeated once", "[run][killed]") {
  const WorkerRun lost = ended(ProcessEnd::signalled, SIGBUS);
  CHECK(tries({lost, ended(ProcessEnd::exited, 0)}) == std::pair<std::size_t, int>(2, 0));
}

TEST_CASE("a run that ended by itself is not repeated", "[run][killed]") {
  CHECK(tries({ended(ProcessEnd::signalled, SIGSEGV)}).first == 1);
  CHECK(tries({ended(ProcessEnd::out_of_memory, 0)}).first == 1);
  CHECK(tries({ended(ProcessEnd::out_of_time, 0)}).first == 1);
  CHECK(tries({ended(ProcessEnd::exited, SIGKILL)}).first == 1);
  CHECK(tries({ended(ProcessEnd::signalled, SIGKILL, 10.5)}).first == 1);  // its processor time
}

}  // namespace
}  // namespace warpgrade
