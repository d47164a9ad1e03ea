#include "grader/sandbox/sandbox.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/run/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// A shell script in a sandbox of its own, with a scratch folder as its only writable place.
struct Confined {
  ScratchFolder scratch;
  ProcessSpec spec;

  explicit Confined(const std::string& script) {
    spec.argv = {"/bin/sh", "-c", script};
    spec.environment = {{"PATH", "/usr/bin:/bin"}};
    spec.folder = scratch.path();
    spec.limits.wall = std::chrono::seconds(20);
    spec.confinement = Confinement{};
    spec.confinement->sandbox.bwrap = find_in_path("bwrap");
    spec.confinement->sandbox.limits_processes = ::geteuid() != 0;
    spec.confinement->view.writable = {scratch.path()};
  }
  ProcessResult run() { return run_process(spec); }
};

void need_bubblewrap() {
  if (find_in_path("bwrap").empty()) {
    SKIP("bubblewrap is not installed");
  }
  try {
    if (Confined("true").run().ok()) {
      return;
    }
  } catch (const std::exception& e) {
    SKIP("bubblewrap does not work here: " << e.what());
  }
  SKIP("bubblewrap does not work here");
}

TEST_CASE("a program in the sandbox works in its scratch folder", "[grader][sandbox]") {
  need_bubblewrap();
  Confined program("echo 42 > out && cat out && pwd");
  const ProcessResult result = program.run();
  INFO(result.err);
  CHECK(result.ok());
  CHECK(result.out == "42\n" + program.scratch.path().string() + "\n");
  CHECK(read_file(program.scratch.path() / "out") == "42\n");
}

TEST_CASE("nothing else of the machine is to be seen from the sandbox", "[grader][sandbox]") {
  need_bubblewrap();
  const ScratchFolder other;  // of another student
  write_file_atomically(other.path() / "secret", "42");
  for (const std::string& path :
       {other.path().string() + "/secret", std::string("/etc/passwd"), std::string("/etc/shadow"),
        std::string("/etc/hostname"), std::string("/root"), std::string("/home"),
        std::string("/var"), std::string("/run"), std::string("/sys")}) {
    INFO(path);
    CHECK_FALSE(Confined("test -e " + path).run().ok());
  }
  ::setenv("WARPGRADE_TEST_SECRET", "42", 1);
  CHECK(Confined("env").run().out.find("SECRET") == std::string::npos);
  ::unsetenv("WARPGRADE_TEST_SECRET");
}

TEST_CASE("nothing but the scratch folder can be written from the sandbox", "[grader][sandbox]") {
  need_bubblewrap();
  for (const char* path : {"/usr/x", "/x", "/etc/x", "/dev/x"}) {
    INFO(path);
    CHECK_FALSE(Confined(std::string("echo 1 > ") + path).run().ok());
  }
}

TEST_CASE("in the sandbox there is no other process and no network", "[grader][sandbox]") {
  need_bubblewrap();
  CHECK(Confined("ls -d /proc/[0-9]* | wc -l").run().out <= "4\n");
  CHECK_FALSE(Confined("test -e /proc/" + std::to_string(::getpid()) + "/mem").run().ok());
  CHECK_FALSE(Confined("kill -9 " + std::to_string(::getpid())).run().ok());
  CHECK(Confined("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' \\n'").run().out == "lo");
  // No namespace of its own either, in which it would be root.
  CHECK_FALSE(Confined("unshare -Ur true").run().ok());
}

TEST_CASE("a signal in the sandbox is told as a signal, an exit as an exit", "[grader][sandbox]") {
  need_bubblewrap();
  const ProcessResult crash = Confined("kill -SEGV $$").run();
  CHECK(crash.end == ProcessEnd::signalled);
  CHECK(crash.code == 11);
  const ProcessResult leaves = Confined("exit 3").run();
  CHECK(leaves.end == ProcessEnd::exited);
  CHECK(leaves.code == 3);
}

TEST_CASE("a sandbox that cannot be made is the machine's fault, not the program's",
          "[grader][sandbox]") {
  need_bubblewrap();
  Confined program("true");
  program.spec.confinement->view.readable = {"/not/there"};
  CHECK_THROWS_AS(program.run(), EnvironmentError);
}

TEST_CASE("processes without end are counted and all ended", "[grader][sandbox]") {
  need_bubblewrap();
  Confined program("while :; do sleep 30 & done; echo survived");
  program.spec.limits.processes = 40;
  const ProcessResult result = program.run();
  CHECK_FALSE(result.ok());
  CHECK(result.seconds < 15);
}

TEST_CASE("memory of all its processes counts together", "[grader][sandbox]") {
  need_bubblewrap();
  Confined program(
      "for i in 1 2 3 4; do head -c 30000000 /dev/zero | tail -c 30000000 | sleep 10 & done; wait");
  program.spec.limits.resident_bytes = 64 << 20;
  CHECK(program.run().end == ProcessEnd::out_of_memory);
}

TEST_CASE("files in the scratch folder count together, and so do those in memory",
          "[grader][sandbox]") {
  need_bubblewrap();
  Confined many("i=0; while :; do head -c 1000000 /dev/zero > f$i; i=$((i+1)); done");
  many.spec.limits.folder_bytes = 20 << 20;
  CHECK(many.run().end == ProcessEnd::out_of_disk);
  for (const char* folder : {"/tmp", "/dev/shm"}) {
    INFO(folder);
    CHECK_FALSE(Confined(std::string("head -c 300000000 /dev/zero > ") + folder + "/x").run().ok());
  }
}

TEST_CASE("what runs in the sandbox in the background ends with it", "[grader][sandbox]") {
  need_bubblewrap();
  Confined program("(setsid sh -c 'sleep 1; echo late > late' &) ; echo done");
  const ProcessResult result = program.run();
  CHECK(result.out == "done\n");
  ::sleep(2);
  CHECK_FALSE(fs::exists(program.scratch.path() / "late"));
}

}  // namespace
}  // namespace warpgrade
