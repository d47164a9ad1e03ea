#include "harness/worker/guard_handler.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <functional>

#include "harness/testing/temporary_folder.h"
#include "harness/worker/record_writer.h"

namespace warpgrade::worker {

namespace {

struct Death {
  int signal = 0;
  std::string record;
};

/// Runs `access` on a guarded buffer of 8 bytes named x in a child process.
Death death_by(const std::function<void(volatile std::byte*)>& access) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "record.txt").string();
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &no_core);
    // A sanitizer's or test runner's handler would run instead.
    std::signal(SIGSEGV, SIG_DFL);
    const HostBuffer buffer(8, 4, 0);
    const RecordWriter record(file);
    const GuardedBuffer guarded{.name = "x", .buffer = &buffer};
    const GuardHandler handler({&guarded, 1}, record.fd());
    access(buffer.data());
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
          .record = folder.read("record.txt")};
}

}  // namespace

TEST_CASE("a read after the end of the buffer is recorded before the process is terminated",
          "[worker][guard_handler]") {
  const Death death = death_by([](volatile std::byte* x) { (void)x[8 + 3]; });
  CHECK(death.signal == SIGSEGV);
  CHECK(death.record == "guard x after 4 read\n");
}

TEST_CASE("a write is distinguished from a read", "[worker][guard_handler]") {
  const Death death = death_by([](volatile std::byte* x) { x[8] = std::byte{1}; });
  CHECK(death.signal == SIGSEGV);
  CHECK(death.record == "guard x after 1 write\n");
}

TEST_CASE("an access far before the buffer is recorded with its distance",
          "[worker][guard_handler]") {
  const Death death = death_by([](volatile std::byte* x) { (void)x[-10000]; });
  CHECK(death.record == "guard x before 10000 read\n");
}

TEST_CASE("a fault elsewhere is not recorded", "[worker][guard_handler]") {
  const Death death = death_by([](volatile std::byte*) {
    // Not a constant, so that no compiler warns of it.
    volatile std::uintptr_t nowhere = 64;
    (void)*reinterpret_cast<volatile int*>(nowhere);
  });
  CHECK(death.signal == SIGSEGV);
  CHECK(death.record.empty());
}

TEST_CASE("a fault elsewhere that the previous handler repairs ends nothing, however often",
          "[worker][guard_handler]") {
  static std::byte* page = nullptr;
  static int repaired = 0;
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    page =
        static_cast<std::byte*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    struct sigaction repair {};
    repair.sa_flags = SA_SIGINFO;
    repair.sa_sigaction = [](int, siginfo_t*, void*) {
      ++repaired;
      mprotect(page, 4096, PROT_READ | PROT_WRITE);
    };
    sigaction(SIGSEGV, &repair, nullptr);
    const HostBuffer buffer(8, 4, 0);
    const RecordWriter record((folder.path() / "record.txt").string());
    const GuardedBuffer guarded{.name = "x", .buffer = &buffer};
    const GuardHandler handler({&guarded, 1}, record.fd());
    for (int i = 0; i < 3; ++i) {
      *const_cast<volatile std::byte*>(page) = std::byte{1};
      mprotect(page, 4096, PROT_NONE);
    }
    _exit(repaired);
  }
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(folder.read("record.txt").empty());
}

TEST_CASE("accesses inside the buffer are not recorded", "[worker][guard_handler]") {
  const Death death = death_by([](volatile std::byte* x) { x[7] = x[0]; });
  CHECK(death.signal == 0);
  CHECK(death.record.empty());
}

}  // namespace warpgrade::worker
