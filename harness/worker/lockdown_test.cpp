#include "harness/worker/lockdown.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <memory>
#include <string>

namespace warpgrade {
namespace {

/// The probe's output, without that of the attempted calls.
std::string probe(const std::string& arguments) {
  const std::string command =
      "ulimit -c 0; '" WARPGRADE_TEST_CALLS "' " + arguments + " 2>&1 | grep -v -x -e text -e more";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  REQUIRE(pipe);
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = fread(part.data(), 1, part.size(), pipe.get())) > 0;) {
    text.append(part.data(), n);
  }
  return text;
}

TEST_CASE("a locked program cannot open or start anything", "[worker][lockdown]") {
  for (const char* what : {"openat",
                           "execve",
                           "fork",
                           "clone-namespace",
                           "unshare",
                           "setns",
                           "mount",
                           "open_tree",
                           "chroot",
                           "ptrace",
                           "process_vm_readv",
                           "process_vm_writev",
                           "socket",
                           "socket-unix",
                           "keyctl",
                           "bpf",
                           "perf_event_open",
                           "shmget",
                           "mq_open",
                           "userfaultfd",
                           "name_to_handle_at",
                           "personality",
                           "seccomp-listener",
                           "set-dumpable",
                           "limit-of-first",
                           "type-into-terminal",
                           "code-map",
                           "pwrite"}) {
    CHECK(probe(std::string("locked ") + what) == std::string(what) + " EPERM\n");
  }
  for (const char* what : {"clone3", "pidfd_open", "io_uring_setup", "memfd_create"}) {
    CHECK(probe(std::string("locked ") + what) == std::string(what) + " ENOSYS\n");
  }
}

TEST_CASE("before it is locked, the same program can", "[worker][lockdown]") {
  for (const char* what : {"openat", "fork", "socket-unix", "memfd_create", "code-map"}) {
    CHECK(probe(what) == std::string(what) + " ok\n");
  }
}

TEST_CASE("a locked program uses no descriptor that it does not need", "[worker][lockdown]") {
  for (const char* what : {"read-from-other", "pread-from-other", "write-to-other",
                           "writev-to-other", "send-to-other"}) {
    CHECK(probe(std::string("locked ") + what) == std::string(what) + " EPERM\n");
  }
  for (const char* what : {"read-from-other", "write-to-other", "writev-to-other"}) {
    CHECK(probe(what) == std::string(what) + " ok\n");
  }
  CHECK(probe("pread-from-other") == "pread-from-other ESPIPE\n");
}

TEST_CASE("a locked program's code, constants and closed tables stay as they are",
          "[worker][lockdown]") {
  for (const char* what :
       {"open-code", "open-code-from-before", "open-closed", "same-code", "unmap-code", "unmap-all",
        "move-code", "drop-code", "replace-code", "move-to-place"}) {
    CHECK(probe(std::string("locked ") + what) == std::string(what) + " EPERM\n");
  }
  for (const char* what : {"open-closed", "own-pages"}) {
    CHECK(probe(what) == std::string(what) + " ok\n");
  }
}

TEST_CASE("a locked program may do everything that the C++ library needs", "[worker][lockdown]") {
  for (const char* what :
       {"exceptions", "threads", "memory", "signals", "print", "random", "clocks", "fstat",
        "processors", "is-terminal", "own-pages", "own-variables"}) {
    CHECK(probe(std::string("locked ") + what) == std::string(what) + " ok\n");
  }
  // Ends by its signal, not by a rejected call.
  CHECK(probe("locked abort; kill -l $?").find("ABRT") != std::string::npos);
}

TEST_CASE("a locked program does not end as if it had been killed", "[worker][lockdown]") {
  for (const std::string lock : {"locked ", "interpreter "}) {
    for (const char* what :
         {"send-kill-to-thread", "exit-as-killed", "exit-thread-as-killed", "send-kill"}) {
      CHECK(probe(lock + what) == std::string(what) + " EPERM\n");
    }
  }
}

TEST_CASE("a locked interpreter opens files, and changes none", "[worker][lockdown]") {
  for (const char* what : {"open-to-write",
                           "open-to-change",
                           "open-to-empty",
                           "open-unnamed",
                           "create",
                           "unlink",
                           "rename",
                           "mkdir",
                           "ftruncate",
                           "truncate",
                           "fallocate",
                           "stop-appending",
                           "pwrite",
                           "execve",
                           "fork",
                           "clone-namespace",
                           "unshare",
                           "ptrace",
                           "process_vm_writev",
                           "socket",
                           "socket-unix",
                           "seccomp-listener",
                           "set-dumpable",
                           "limits",
                           "limit-of-first"}) {
    CHECK(probe(std::string("interpreter ") + what) == std::string(what) + " EPERM\n");
  }
  for (const char* what : {"openat", "code-map", "read-from-other", "write-to-other", "exceptions",
                           "threads", "memory", "signals", "print", "random", "clocks", "fstat",
                           "processors", "is-terminal", "own-pages"}) {
    CHECK(probe(std::string("interpreter ") + what) == std::string(what) + " ok\n");
  }
  CHECK(probe("interpreter abort; kill -l $?").find("ABRT") != std::string::npos);
  CHECK(probe("open-to-write stop-appending") == "open-to-write ok\nstop-appending ok\n");
}

TEST_CASE("a lock applies to existing threads and to later ones", "[worker][lockdown]") {
  CHECK(probe("threads locked threads openat") == "threads ok\nthreads ok\nopenat EPERM\n");
}

}  // namespace
}  // namespace warpgrade
