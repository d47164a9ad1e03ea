#include "harness/worker/lockdown.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <system_error>

namespace warpgrade::worker {

namespace {

sock_filter g_filter[] = {
#include "lockdown_filter.inc"
};

}  // namespace

void lock_down() {
  const sock_fprog program{.len = std::size(g_filter), .filter = g_filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot filter system calls");
  }
}

}  // namespace warpgrade::worker
