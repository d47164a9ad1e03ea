#include "harness/worker/lockdown.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <system_error>

#include "harness/worker/lock_filter.h"

namespace warpgrade::worker {

namespace {

sock_filter g_filter[] = {
#include "lockdown_filter.inc"
};
sock_filter g_interpreter_filter[] = {
#include "python_filter.inc"
};

}  // namespace

namespace {

void give_up_privileges() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot filter system calls");
  }
}

void install(sock_filter* steps, std::size_t count) {
  const sock_fprog program{.len = static_cast<unsigned short>(count), .filter = steps};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot filter system calls");
  }
}

std::vector<int> open_sockets() {
  constexpr int kMost = 1024;  // more are not open before the submission's code runs
  std::vector<int> sockets;
  struct stat status {};
  for (int descriptor = 0; descriptor < kMost; ++descriptor) {
    if (fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode)) sockets.push_back(descriptor);
  }
  return sockets;
}

}  // namespace

void lock_down(const std::vector<int>& readable, const std::vector<int>& writable) {
  LockLimits limits{
      .readable = readable, .writable = writable, .sockets = open_sockets(), .kept = {}};
  limits.readable.push_back(STDIN_FILENO);
  limits.writable.insert(limits.writable.end(), {STDOUT_FILENO, STDERR_FILENO});
  limits.kept = closed_mappings();
  std::vector<sock_filter> own = make_lock_filter(limits);
  give_up_privileges();
  install(own.data(), own.size());
  install(g_filter, std::size(g_filter));
}

void lock_down_interpreter() {
  give_up_privileges();
  install(g_interpreter_filter, std::size(g_interpreter_filter));
}

}  // namespace warpgrade::worker
