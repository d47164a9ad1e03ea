#include "grader/process/sandbox/sandbox.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/process/process.h"

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
    spec.confinement->view.tool = true;  // a shell starts programs
  }
  ProcessResult run() { return run_process(spec); }
};

/// The shell of a sandbox, which works in a folder; 0: there is none.
pid_t pid_with(const std::string& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::error_code error;
    const fs::path program = fs::read_symlink(entry.path() / "exe", error);
    const fs::path works_in = fs::read_symlink(entry.path() / "cwd", error);
    if (works_in == folder && program.filename() != "bwrap") {
      return static_cast<pid_t>(std::atoi(entry.path().filename().c_str()));
    }
  }
  return 0;
}

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

TEST_CASE("nothing else of the machine is visible from the sandbox", "[grader][sandbox]") {
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
  for (const char* path : {"/usr/x", "/x", "/etc/x", "/dev/x", "/proc/1/mem", "/proc/x"}) {
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
  // Nor a namespace in which it would be root.
  CHECK_FALSE(Confined("unshare -Ur true").run().ok());
}

TEST_CASE("a signal in the sandbox is reported as a signal, an exit as an exit",
          "[grader][sandbox]") {
  need_bubblewrap();
  const ProcessResult crash = Confined("kill -SEGV $$").run();
  CHECK(crash.end == ProcessEnd::signalled);
  CHECK(crash.code == 11);
  const ProcessResult leaves = Confined("exit 3").run();
  CHECK(leaves.end == ProcessEnd::exited);
  CHECK(leaves.code == 3);
}

TEST_CASE("a submission does not end as if it had been killed", "[grader][sandbox]") {
  need_bubblewrap();
  const auto end_of = [](const std::string& script) {
    Confined program(script);
    program.spec.confinement->view.tool = false;  // the calls of a worker
    const ProcessResult result = program.run();
    INFO(script << result.err);
    CHECK_FALSE((result.end == ProcessEnd::signalled && result.code == 9));
    return result.end;
  };
  CHECK(end_of("kill -9 $$; exit 5") == ProcessEnd::exited);
  CHECK(end_of("exit 137") == ProcessEnd::signalled);  // by what the C library does then
  CHECK(end_of("exit 136") == ProcessEnd::signalled);
  CHECK(end_of("kill -SEGV $$") == ProcessEnd::signalled);
  CHECK(end_of("exit 0") == ProcessEnd::exited);
}

TEST_CASE("one that was killed is reported so", "[grader][sandbox]") {
  need_bubblewrap();
  Confined program("echo $$ >started; read line <pipe");
  program.spec.confinement->view.tool = false;
  const std::string pipe = (program.scratch.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread killer([&] {
    for (int tries = 0; tries < 2000; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (!fs::exists(program.scratch.path() / "started")) continue;
      if (const pid_t pid = pid_with(program.scratch.path().string()); pid > 0) {
        ::kill(pid, SIGKILL);
        return;
      }
    }
  });
  const ProcessResult result = program.run();
  killer.join();
  CHECK(result.end == ProcessEnd::signalled);
  CHECK(result.code == SIGKILL);
}

TEST_CASE("a sandbox that cannot be created is an error of the machine, not of the program",
          "[grader][sandbox]") {
  need_bubblewrap();
  Confined program("true");
  program.spec.confinement->view.readable = {"/not/there"};
  CHECK_THROWS_AS(program.run(), EnvironmentError);
}

TEST_CASE("a fork bomb is detected and all its processes are ended", "[grader][sandbox]") {
  need_bubblewrap();
  Confined program("while :; do sleep 30 & done; echo survived");
  program.spec.limits.processes = 40;
  const ProcessResult result = program.run();
  CHECK_FALSE(result.ok());
  CHECK(result.seconds < 15);
}

TEST_CASE("the memory of all processes counts together", "[grader][sandbox]") {
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

TEST_CASE("files in memory count as memory", "[grader][sandbox]") {
  need_bubblewrap();
  const auto fill = [](std::uint64_t limit) {
    Confined program(
        "head -c 100000000 /dev/zero > /tmp/x; head -c 100000000 /dev/zero > /dev/shm/x; sleep 1");
    program.spec.limits.resident_bytes = limit;
    return program.run().end;
  };
  CHECK(fill(std::uint64_t{150} << 20) == ProcessEnd::out_of_memory);
  CHECK(fill(std::uint64_t{400} << 20) == ProcessEnd::exited);
}

TEST_CASE("many files and folders in folders end the program, and are gone soon after",
          "[grader][sandbox]") {
  need_bubblewrap();
  for (const char* script :
       {"perl -e 'for (1..150000) { open F, \">f$_\"; close F }'",
        "perl -e 'for (1..6000) { mkdir \"d\"; chdir \"d\" }'", "seq 1 2500 | xargs mkdir",
        "for i in $(seq 40); do mkdir d; cd d; done"}) {
    INFO(script);
    const auto start = std::chrono::steady_clock::now();
    {
      Confined program(script);
      program.spec.limits.folder_bytes = std::uint64_t{1} << 30;
      const ProcessResult result = program.run();
      CHECK(result.end == ProcessEnd::out_of_disk);
      CHECK(describe_end(result, program.spec.limits) ==
            "wrote more than 1024 MiB or 2000 files, or too many nested folders, and was stopped");
    }
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
  }
  Confined few("seq 1 1900 | xargs touch; mkdir -p a/b/c/d/e/f/g/h/i/j");
  few.spec.limits.folder_bytes = std::uint64_t{1} << 30;
  CHECK(few.run().ok());
}

TEST_CASE("a program in the sandbox has no capability, and cannot gain one", "[grader][sandbox]") {
  need_bubblewrap();
  CHECK(
      Confined("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | cut -f 2 | tr '\n' ' '")
          .run()
          .out ==
      "0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 1 2 ");
}

TEST_CASE("the first process in the sandbox cannot be inspected, and PATH is the sandbox's own",
          "[grader][sandbox]") {
  need_bubblewrap();
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", (path + ":/of/the/grader").c_str(), 1);
  const ProcessResult result =
      Confined("ls /proc/1 | wc -l; cat /proc/[0-9]*/environ | tr '\\0' '\n'; echo $PATH").run();
  ::setenv("PATH", path.c_str(), 1);
  CHECK(result.out.starts_with("0\n"));
  CHECK(result.out.find("/of/the/grader") == std::string::npos);
  CHECK(result.out.ends_with("/usr/local/bin:/usr/bin:/bin\n"));
}

/// What the probe reports for each call in the sandbox of one kind of program.
struct Calls {
  std::string tool;
  std::string worker;
  std::string gpu_worker;
  std::string watched_worker;
};

Calls calls(const std::string& what) {
  const auto run = [&](bool tool, bool gpu, bool watched) {
    Confined program("");
    program.spec.argv = {WARPGRADE_TEST_CALLS, what};
    Confinement& confinement = *program.spec.confinement;
    confinement.view.readable = {WARPGRADE_TEST_CALLS};
    confinement.view.tool = tool;
    confinement.view.gpu = gpu;
    confinement.sandbox.for_profilers = watched;
    const std::string out = program.run().out;
    return out.starts_with(what + " ") ? out.substr(what.size() + 1, out.size() - what.size() - 2)
                                       : out;
  };
  return {.tool = run(true, false, false),
          .worker = run(false, false, false),
          .gpu_worker = run(false, true, false),
          .watched_worker = run(false, true, true)};
}

TEST_CASE("no program in the sandbox can create namespaces, mount, or use privileged system calls",
          "[grader][sandbox][syscalls]") {
  need_bubblewrap();
  for (const char* what : {"clone-namespace", "unshare", "setns", "mount", "open_tree", "chroot",
                           "keyctl", "bpf", "perf_event_open", "mq_open", "userfaultfd",
                           "name_to_handle_at", "seccomp-listener", "type-into-terminal"}) {
    INFO(what);
    const Calls result = calls(what);
    CHECK(result.tool == "EPERM");
    CHECK(result.worker == "EPERM");
    CHECK(result.gpu_worker == "EPERM");
    CHECK(result.watched_worker == "EPERM");
  }
  for (const char* what : {"clone3", "io_uring_setup", "pidfd_open"}) {
    INFO(what);
    const Calls result = calls(what);
    CHECK(result.tool == "ENOSYS");
    CHECK(result.worker == "ENOSYS");
    CHECK(result.gpu_worker == "ENOSYS");
    CHECK(result.watched_worker == "ENOSYS");
  }
}

TEST_CASE("each kind of program in the sandbox has the system calls of its own table",
          "[grader][sandbox][syscalls]") {
  need_bubblewrap();
  struct Row {
    const char* what;
    const char* tool;
    const char* worker;
    const char* gpu_worker;
    const char* watched_worker;
  };
  for (const Row& row :
       {Row{"openat", "ok", "ok", "ok", "ok"},
        Row{"execve", "ENOENT", "ENOENT", "ENOENT", "ENOENT"},
        Row{"fork", "ok", "EPERM", "EPERM", "ok"}, Row{"ptrace", "EPERM", "EPERM", "EPERM", "ok"},
        Row{"socket", "EPERM", "EPERM", "EPERM", "ok"},
        Row{"socket-unix", "EPERM", "EPERM", "ok", "ok"},
        Row{"memfd_create", "ENOSYS", "ENOSYS", "ok", "ok"},
        Row{"shmget", "EPERM", "EPERM", "EPERM", "ok"},
        Row{"process_vm_writev", "EPERM", "EPERM", "EPERM", "ok"},
        Row{"limit-of-first", "EPERM", "EPERM", "EPERM", "ok"}}) {
    INFO(row.what);
    const Calls result = calls(row.what);
    CHECK(result.tool == row.tool);
    CHECK(result.worker == row.worker);
    CHECK(result.gpu_worker == row.gpu_worker);
    CHECK(result.watched_worker == row.watched_worker);
  }
}

TEST_CASE("the worker's sandbox allows everything that the C++ library needs",
          "[grader][sandbox][syscalls]") {
  need_bubblewrap();
  for (const char* what : {"exceptions", "threads", "memory", "signals", "random", "clocks",
                           "fstat", "processors", "is-terminal"}) {
    INFO(what);
    CHECK(calls(what).worker == "ok");
  }
}

TEST_CASE("a filter is made once per table, and the tables differ", "[grader][sandbox][syscalls]") {
  const std::string& worker = syscall_filter(SyscallTable::worker);
  CHECK(&worker == &syscall_filter(SyscallTable::worker));
  CHECK(worker.size() % 8 == 0);
  CHECK(worker != syscall_filter(SyscallTable::tool));
  CHECK(worker != syscall_filter(SyscallTable::gpu_worker));
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
