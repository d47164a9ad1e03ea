// Tries system calls and functions of the C++ library, for the tests of the filters.
// usage: calls_probe [locked|interpreter] <what>...   prints "<what> <error name or ok>" for each

#include <fcntl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/worker/lockdown.h"

namespace {

/// A raw call, without the C library's wrapper.
template <class... Arguments>
auto raw(long number, Arguments... arguments) {
  return [=] { return syscall(number, arguments...); };
}

/// A child should not exist: it exits at once.
long child(long pid) {
  if (pid == 0) _exit(0);
  if (pid > 0) waitpid(static_cast<pid_t>(pid), nullptr, 0);
  return pid;
}

long truth(bool right) {
  errno = right ? 0 : EINVAL;
  return right ? 0 : -1;
}

volatile std::sig_atomic_t g_signals = 0;

// Descriptors that exist before the lock and are not named to it.
int g_pipe[2] = {-1, -1};

constexpr std::size_t kPage = 4096;
std::uintptr_t page_of(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) / kPage * kPage;
}
/// The page of code with main(), and one that the loader has filled and closed (RELRO).
long code_page();
long closed_page() {
  static const char* const* const kWords[] = {nullptr};
  return static_cast<long>(page_of(&kWords));
}
/// mprotect() of pages that begin before `page`.
long protect(long page, std::size_t pages_before, int protection) {
  return syscall(SYS_mprotect, page - static_cast<long>(pages_before * kPage),
                 kPage * (pages_before + 1), protection);
}

long catch_exception() {
  try {
    throw std::runtime_error("thrown");
  } catch (const std::exception& error) {
    return truth(std::string_view(error.what()) == "thrown");
  }
}

long run_thread() {
  int sum = 0;
  std::thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sum = static_cast<int>(std::vector<int>(100, 1).size());
  }).join();
  return truth(sum == 100);
}

long grow_memory() {
  std::vector<char*> blocks;
  for (std::size_t size = 1; size < std::size_t{64} << 20U; size *= 2) {
    blocks.push_back(static_cast<char*>(std::malloc(size)));
    blocks.back() = static_cast<char*>(std::realloc(blocks.back(), size * 3));
    std::memset(blocks.back(), 1, size * 3);
  }
  for (char* block : blocks) std::free(block);
  return 0;
}

long handle_signal() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_signals = g_signals + 1; };
  sigaction(SIGUSR1, &action, nullptr);
  std::raise(SIGUSR1);
  return truth(g_signals > 0);
}

long print() {
  std::cout << "text" << std::endl;
  return std::printf("more\n") > 0 && std::fflush(stdout) == 0 ? 0 : -1;
}

const std::map<std::string_view, std::function<long()>>& tries() {
  static char byte = '\n';
  static const iovec part = {&byte, 1};
  static clone_args threads = {};
  threads.exit_signal = SIGCHLD;
  static perf_event_attr event = {};
  static char* const words[] = {const_cast<char*>("true"), nullptr};
  static rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  static const std::map<std::string_view, std::function<long()>> table = {
      {"openat", raw(SYS_openat, AT_FDCWD, "/usr", O_RDONLY, 0)},
      {"open-to-write", raw(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY, 0)},
      {"open-to-change", raw(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0)},
      {"open-to-empty", raw(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY | O_TRUNC, 0)},
      {"open-unnamed", raw(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600)},
      {"create", raw(SYS_openat, AT_FDCWD, "/tmp", O_RDONLY | O_CREAT | O_DIRECTORY, 0600)},
      {"unlink", raw(SYS_unlink, "/not/there")},
      {"rename", raw(SYS_rename, "/not/there", "/not/there/either")},
      {"mkdir", raw(SYS_mkdir, "/not/there/either", 0700)},
      {"ftruncate", raw(SYS_ftruncate, 1, 0)},
      {"truncate", raw(SYS_truncate, "/not/there", 0)},
      {"fallocate", raw(SYS_fallocate, 1, 0, 0, 1)},
      {"stop-appending", raw(SYS_fcntl, 1, F_SETFL, 0)},
      {"send-kill", [] { return syscall(SYS_kill, getpid(), SIGKILL); }},
      {"send-kill-to-thread", [] { return syscall(SYS_tgkill, getpid(), gettid(), SIGKILL); }},
      {"exit-as-killed", raw(SYS_exit_group, 128 + SIGKILL)},
      {"exit-thread-as-killed", raw(SYS_exit, 128 + SIGKILL)},
      {"limits", [] { return prlimit(0, RLIMIT_CPU, &limit, nullptr); }},
      {"execve", [] { return execve("/not/there", words, nullptr); }},
      {"execve-true", [] { return execve("/usr/bin/true", words, nullptr); }},
      {"fork", [] { return child(fork()); }},
      {"clone-namespace",
       [] { return child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)); }},
      {"clone3", [] { return child(syscall(SYS_clone3, &threads, sizeof(threads))); }},
      {"unshare", raw(SYS_unshare, CLONE_NEWNS)},
      {"setns", raw(SYS_setns, 0, 0)},
      {"mount", raw(SYS_mount, "none", "/tmp", "tmpfs", 0, "size=1m")},
      {"open_tree", raw(SYS_open_tree, AT_FDCWD, "/tmp", 1)},
      {"chroot", raw(SYS_chroot, "/")},
      {"ptrace", raw(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0)},
      {"process_vm_readv",
       [] { return syscall(SYS_process_vm_readv, getpid(), &part, 1, &part, 1, 0); }},
      {"process_vm_writev",
       [] { return syscall(SYS_process_vm_writev, getpid(), &part, 1, &part, 1, 0); }},
      {"pidfd_open", [] { return syscall(SYS_pidfd_open, getpid(), 0); }},
      {"socket", raw(SYS_socket, AF_INET, SOCK_STREAM, 0)},
      {"socket-unix", raw(SYS_socket, AF_UNIX, SOCK_STREAM, 0)},
      {"keyctl", raw(SYS_keyctl, 0, 0, 0, 0)},
      {"bpf", raw(SYS_bpf, 0, 0, 0)},
      {"perf_event_open", raw(SYS_perf_event_open, &event, 0, -1, -1, 0)},
      {"io_uring_setup", raw(SYS_io_uring_setup, 1, nullptr)},
      {"memfd_create", raw(SYS_memfd_create, "m", 0U)},
      {"shmget", raw(SYS_shmget, 0, 4096, 0600)},
      {"mq_open", raw(SYS_mq_open, "q", O_RDWR | O_CREAT, 0600, nullptr)},
      {"userfaultfd", raw(SYS_userfaultfd, 0)},
      {"name_to_handle_at", raw(SYS_name_to_handle_at, 0, "", nullptr, nullptr, 0)},
      {"personality", raw(SYS_personality, 0x0040000)},
      {"seccomp-listener", raw(SYS_seccomp, 1, 8, nullptr)},
      {"set-dumpable", [] { return prctl(PR_SET_DUMPABLE, 1); }},
      {"limit-of-first", [] { return prlimit(1, RLIMIT_CPU, &limit, nullptr); }},
      {"type-into-terminal", [] { return ioctl(0, TIOCSTI, &byte); }},
      {"code-map",
       [] {
         return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                        MAP_FAILED
                    ? -1L
                    : 0L;
       }},
      {"write-to-other", [] { return write(g_pipe[1], &byte, 1); }},
      {"read-from-other", [] { return read(g_pipe[0], &byte, 1); }},
      {"pread-from-other", raw(SYS_pread64, g_pipe[0], &byte, 1, 0)},
      {"writev-to-other", [] { return writev(g_pipe[1], &part, 1); }},
      {"send-to-other", [] { return sendto(g_pipe[1], &byte, 1, 0, nullptr, 0); }},
      {"pwrite", raw(SYS_pwrite64, 1, &byte, 1, 0)},
      {"open-code", [] { return protect(code_page(), 0, PROT_READ | PROT_WRITE); }},
      {"open-code-from-before", [] { return protect(code_page(), 1, PROT_READ | PROT_WRITE); }},
      {"open-closed", [] { return protect(closed_page(), 0, PROT_READ | PROT_WRITE); }},
      {"same-code", [] { return protect(code_page(), 0, PROT_READ); }},
      {"unmap-code", [] { return syscall(SYS_munmap, code_page(), kPage); }},
      {"unmap-all", raw(SYS_munmap, kPage, 0x7fff'ffff'0000)},
      {"move-code", [] { return syscall(SYS_mremap, code_page(), kPage, kPage, 1, 0); }},
      {"drop-code", [] { return syscall(SYS_madvise, code_page(), kPage, MADV_DONTNEED); }},
      {"replace-code",
       [] {
         return syscall(SYS_mmap, code_page(), kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
       }},
      {"move-to-place",
       [] {
         void* page = mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return syscall(SYS_mremap, page, kPage, kPage, MREMAP_MAYMOVE | MREMAP_FIXED, code_page());
       }},
      {"own-pages",
       [] {
         char* pages = static_cast<char*>(
             mmap(nullptr, 4 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
         const bool fine =
             mprotect(pages + kPage, kPage, PROT_READ | PROT_WRITE) == 0 &&
             mmap(pages, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                  0) == pages &&
             (pages[0] = 1, pages[kPage] = 1, mprotect(pages, kPage, PROT_READ) == 0) &&
             madvise(pages + kPage, kPage, MADV_DONTNEED) == 0 && pages[kPage] == 0 &&
             munmap(pages, 4 * kPage) == 0;
         return truth(fine);
       }},
      {"own-variables",
       [] {
         alignas(kPage) static char variable[2 * kPage];
         const bool fine = mprotect(variable, kPage, PROT_READ) == 0 &&
                           mprotect(variable, kPage, PROT_READ | PROT_WRITE) == 0;
         variable[0] = 1;
         return truth(fine);
       }},
      {"is-terminal",
       [] { return isatty(1) != 0 || errno == ENOTTY || errno == EINVAL ? 0L : -1L; }},
      {"exceptions", catch_exception},
      {"threads", run_thread},
      {"memory", grow_memory},
      {"signals", handle_signal},
      {"print", print},
      {"random", [] { return truth(std::random_device{}() != std::random_device{}()); }},
      {"clocks", [] { return std::clock() != -1 && std::time(nullptr) > 0 ? 0L : -1L; }},
      {"fstat",
       [] {
         struct stat status {};
         return static_cast<long>(fstat(1, &status));
       }},
      {"processors", [] { return truth(std::thread::hardware_concurrency() > 0); }},
      {"abort",
       [] {
         std::abort();
         return 0L;
       }},
  };
  return table;
}

long code_page() {
  return static_cast<long>(page_of(reinterpret_cast<const void*>(&catch_exception)));
}

}  // namespace

int main(int argc, char** argv) {
  if (pipe(g_pipe) != 0 || write(g_pipe[1], "x", 1) != 1) return 2;
  for (int i = 1; i < argc; ++i) {
    const std::string_view what = argv[i];
    if (what == "locked") {
      warpgrade::worker::lock_down({}, {});
      continue;
    }
    if (what == "interpreter") {
      warpgrade::worker::lock_down_interpreter();
      continue;
    }
    const auto found = tries().find(what);
    if (found == tries().end()) {
      std::fprintf(stderr, "calls_probe: nothing to try is called %s\n", argv[i]);
      return 2;
    }
    errno = 0;
    const long result = found->second();
    std::printf("%s %s\n", argv[i], result >= 0 ? "ok" : strerrorname_np(errno));
    std::fflush(stdout);
  }
  return 0;
}
