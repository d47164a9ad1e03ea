#include "grader/process/process.h"
#include "grader/process/process_tree.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

using std::chrono::milliseconds;

ProcessSpec shell(const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.environment = base_environment();
  spec.limits.wall = milliseconds(10'000);
  return spec;
}

TEST_CASE("a program's exit code and both of its streams are returned", "[run][process]") {
  const ProcessResult result = run_process(shell("echo out; echo err >&2; exit 3"));
  CHECK(result.end == ProcessEnd::exited);
  CHECK(result.code == 3);
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK_FALSE(result.ok());
  CHECK(describe_end(result, {}) == "exited with code 3");
}

TEST_CASE("a program reads a file as its standard input, and how much of it is known",
          "[run][process]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in", "one\ntwo\n");
  ProcessSpec spec = shell("cat");
  spec.input = folder.path() / "in";
  CHECK(run_process(spec).out == "one\ntwo\n");
  CHECK(run_process(spec).input_read == 8);
  spec.argv[2] = "true";
  CHECK(run_process(spec).input_read == 0);
  CHECK(run_process(shell("cat")).out.empty());
}

TEST_CASE("a program terminated by a signal is reported with the signal's name", "[run][process]") {
  const ProcessResult result = run_process(shell("kill -SEGV $$"));
  CHECK(result.end == ProcessEnd::signalled);
  CHECK(result.code == SIGSEGV);
  CHECK(describe_end(result, {}) == "was ended by SIGSEGV (invalid memory access)");
}

TEST_CASE("a program that runs too long is stopped, and its children with it", "[run][process]") {
  const ScratchFolder scratch;
  ProcessSpec spec = shell("(sleep 2; touch late) & sleep 30");
  spec.folder = scratch.path();
  spec.limits.wall = milliseconds(200);
  const ProcessResult result = run_process(spec);
  CHECK(result.end == ProcessEnd::out_of_time);
  CHECK(result.seconds < 5);
  CHECK(describe_end(result, spec.limits) == "ran longer than 0.2 s and was stopped");
  ::usleep(2'500'000);
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "late"));
}

/// Processes that keep the first processor busy for as long as this lives.
class Crowd {
 public:
  explicit Crowd(int size) {
    for (int i = 0; i < size; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        stay_on_first_processor();
        volatile unsigned long n = 0;
        while (true) {
          n = n + 1;
        }
      }
      pids_.push_back(pid);
    }
  }
  ~Crowd() {
    for (const pid_t pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  static void stay_on_first_processor() {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    ::sched_setaffinity(0, sizeof set, &set);
  }

 private:
  std::vector<pid_t> pids_;
};

TEST_CASE("time in which other programs have the processor does not count", "[run][process]") {
  if (!std::filesystem::exists("/proc/self/schedstat")) {
    SKIP("this kernel does not count how long a process waits");
  }
  ProcessSpec spec = shell("i=0; while [ $i -lt 1500000 ]; do i=$((i+1)); done");
  spec.argv.insert(spec.argv.begin(), {"taskset", "-c", "0"});
  const double alone = run_process(spec).seconds;
  const Crowd crowd(4);
  spec.limits.wall = milliseconds(static_cast<int>(2000 * alone));
  const ProcessResult result = run_process(spec);
  INFO(alone << " s alone, " << result.seconds << " s in the crowd");
  CHECK(result.ok());
}

TEST_CASE("the waits of programs that run one after the other add up", "[run][process]") {
  using std::chrono::seconds;
  const auto thread = [](pid_t id, int waited, bool blocked = false) {
    ThreadState state{.id = id, .blocked = blocked};
    state.waited = seconds(waited);
    return state;
  };
  LostTime lost;
  lost.sample({thread(1, 2)}, seconds(3));
  CHECK(lost.total() == seconds(2));
  // Another program has taken its place; then two wait at the same time.
  lost.sample({thread(2, 4)}, seconds(8));
  CHECK(lost.total() == seconds(6));
  lost.sample({thread(2, 6), thread(3, 3)}, seconds(12));
  CHECK(lost.total() == seconds(9));
  // A sleeping program has lost nothing; one that waits for a disk has, but no more than the time.
  lost.sample({thread(2, 6), thread(3, 3)}, seconds(20));
  CHECK(lost.total() == seconds(9));
  lost.sample({thread(2, 6), thread(3, 3, true)}, seconds(21));
  CHECK(lost.total() == seconds(10));
  lost.sample({thread(4, 100)}, seconds(22));
  CHECK(lost.total() == seconds(11));
  // One that has waited since the last sample; the kernel counts it when it has a processor again.
  ThreadState waiting = thread(4, 100);
  waiting.runnable = true;
  lost.sample({waiting}, seconds(25));
  CHECK(lost.total() == seconds(14));
  waiting.waited = seconds(104);
  waiting.ran = seconds(1);
  lost.sample({waiting}, seconds(27));
  CHECK(lost.total() == seconds(15));
}

TEST_CASE("load stops no program that starts many others, one after the other", "[run][process]") {
  if (!std::filesystem::exists("/proc/self/schedstat")) {
    SKIP("this kernel does not count how long a process waits");
  }
  ProcessSpec spec = shell(
      "for n in 1 2 3 4 5 6 7 8; do "
      "sh -c 'i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done'; done");
  spec.argv.insert(spec.argv.begin(), {"taskset", "-c", "0"});
  const double alone = run_process(spec).seconds;
  const Crowd crowd(6);
  spec.limits.wall = milliseconds(static_cast<int>(2500 * alone));
  const ProcessResult result = run_process(spec);
  INFO(alone << " s alone, " << result.seconds << " s in the crowd");
  CHECK(result.ok());
}

TEST_CASE("a program that sleeps is too slow, whatever the load", "[run][process]") {
  const Crowd crowd(6);
  ProcessSpec spec = shell("sleep 30");
  spec.limits.wall = milliseconds(300);
  const ProcessResult result = run_process(spec);
  CHECK(result.end == ProcessEnd::out_of_time);
  CHECK(result.seconds < 3);
}

TEST_CASE("a program that somebody has stopped loses no time by it", "[run][process]") {
  ProcessSpec spec = shell(
      "sh -c 'kill -STOP $$; echo done' & stopped=$!; sleep 0.6; kill -CONT $stopped; "
      "wait $stopped");
  spec.limits.wall = milliseconds(300);
  CHECK(run_process(spec).out == "done\n");
}

TEST_CASE("a program that only computes has not run too long if it did not", "[run][process]") {
  ProcessSpec spec = shell("sleep 30");
  spec.limits.wall = milliseconds(300);
  spec.limits.computes = true;
  CHECK(run_process(spec).end == ProcessEnd::starved);
  spec = shell("while :; do :; done");
  spec.limits.wall = milliseconds(300);
  spec.limits.computes = true;
  CHECK(run_process(spec).end == ProcessEnd::out_of_time);
}

TEST_CASE("a program that the machine had no time for is described with what it got",
          "[run][process]") {
  ProcessResult result;
  result.end = ProcessEnd::starved;
  result.seconds = 600;
  result.cpu_seconds = 1.25;
  CHECK(describe_end(result, {}) ==
        "got 1.2 s of processor time in 600 s, as the machine was busy or paused, and was stopped");
}

TEST_CASE("processor time has a separate limit, and the message names it", "[run][process]") {
  ProcessSpec spec = shell("while :; do :; done");
  spec.limits.cpu = std::chrono::seconds(1);
  spec.limits.wall = milliseconds(60000);
  const ProcessResult result = run_process(spec);
  CHECK(result.end == ProcessEnd::signalled);
  CHECK(describe_end(result, spec.limits) == "was ended by SIGXCPU (processor time limit)");
}

TEST_CASE("a child that would outlive the program is ended with it", "[run][process]") {
  const ScratchFolder scratch;
  ProcessSpec spec = shell("(sleep 1; touch late) >/dev/null 2>&1 & exit 0");
  spec.folder = scratch.path();
  CHECK(run_process(spec).ok());
  ::usleep(1'500'000);
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "late"));
}

TEST_CASE("a program that ends while a child holds its streams open is not waited for",
          "[run][process]") {
  const ProcessResult result = run_process(shell("sleep 20 & exit 0"));
  CHECK(result.ok());
  CHECK(result.seconds < 5);
}

TEST_CASE("endless output is cut, and does not block the program", "[run][process]") {
  ProcessSpec spec = shell("head -c 5000000 /dev/zero; echo done >&2");
  spec.limits.output_bytes = 1000;
  const ProcessResult result = run_process(spec);
  CHECK(result.ok());
  CHECK(result.out.size() == 1000);
  CHECK(result.out_cut);
  CHECK(result.err == "done\n");
  CHECK_FALSE(result.err_cut);
}

TEST_CASE("a program that takes too much memory is stopped", "[run][process]") {
  ProcessSpec spec = shell("x=$(head -c 300000000 /dev/zero | tr '\\0' x); sleep 5");
  spec.limits.resident_bytes = 64u << 20;
  const ProcessResult result = run_process(spec);
  CHECK(result.end == ProcessEnd::out_of_memory);
  CHECK(describe_end(result, spec.limits) == "used more than 64 MiB of memory and was stopped");
}

TEST_CASE("files beyond the limit end the program", "[run][process]") {
  const ScratchFolder scratch;
  ProcessSpec spec = shell("exec head -c 100000 /dev/zero > big");
  spec.folder = scratch.path();
  spec.limits.file_bytes = 1024;
  const ProcessResult result = run_process(spec);
  CHECK_FALSE(result.ok());
  CHECK(std::filesystem::file_size(scratch.path() / "big") == 1024);
}

TEST_CASE("the program gets the given environment and nothing of ours", "[run][process]") {
  ::setenv("WARPGRADE_TEST_SECRET", "1", 1);
  ProcessSpec spec = shell("env");
  spec.environment.emplace_back("GIVEN", "yes");
  const ProcessResult result = run_process(spec);
  CHECK(result.out.find("WARPGRADE_TEST_SECRET") == std::string::npos);
  CHECK(result.out.find("GIVEN=yes\n") != std::string::npos);
}

TEST_CASE("only passed descriptors are open in the program", "[run][process]") {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);  // inheritable, on purpose
  ProcessSpec spec = shell("ls /proc/self/fd | wc -l; echo hello >&9");
  spec.descriptors = {{.ours = pipe[1], .theirs = 9}};
  const ProcessResult result = run_process(spec);
  ::close(pipe[1]);
  std::array<char, 16> text{};
  CHECK(::read(pipe[0], text.data(), text.size()) == 6);
  CHECK(std::string(text.data()) == "hello\n");
  ::close(pipe[0]);
  // stdin, stdout, stderr, 9, and the folder that ls reads.
  CHECK(result.out == "5\n");
}

TEST_CASE("a passed descriptor may have the number that another one gets", "[run][process]") {
  std::array<int, 2> one{};
  std::array<int, 2> other{};
  REQUIRE(::pipe2(one.data(), O_CLOEXEC) == 0);
  REQUIRE(::pipe2(other.data(), O_CLOEXEC) == 0);
  ProcessSpec spec = shell(fmt::format("echo one >&{}; echo other >&{}", other[1], one[1]));
  spec.descriptors = {{.ours = one[1], .theirs = other[1]}, {.ours = other[1], .theirs = one[1]}};
  CHECK(run_process(spec).ok());
  std::array<char, 16> text{};
  CHECK(::read(one[0], text.data(), text.size()) == 4);
  CHECK(std::string(text.data()) == "one\n");
  text = {};
  CHECK(::read(other[0], text.data(), text.size()) == 6);
  CHECK(std::string(text.data()) == "other\n");
  for (const int end : {one[0], one[1], other[0], other[1]}) ::close(end);
}

TEST_CASE("a program that does not exist is distinguished from one that fails", "[run][process]") {
  ProcessSpec spec;
  spec.argv = {"/nowhere/program"};
  const ProcessResult result = run_process(spec);
  CHECK(result.end == ProcessEnd::not_started);
  CHECK(describe_end(result, {}) == "could not be started: No such file or directory");
}

}  // namespace
}  // namespace warpgrade
