#pragma once

#include <signal.h>

#include <cerrno>
#include <ctime>

namespace warpsim {

/// During its lifetime, exceeding the limit on file sizes is an error of the write, not a signal
/// that ends the process. Keeps errno.
class SizeLimitIsError {
 public:
  SizeLimitIsError() {
    ::sigemptyset(&set_);
    ::sigaddset(&set_, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~SizeLimitIsError() {
    const int error = errno;
    const timespec now = {};
    while (::sigtimedwait(&set_, nullptr, &now) > 0) continue;
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  SizeLimitIsError(const SizeLimitIsError&) = delete;
  SizeLimitIsError& operator=(const SizeLimitIsError&) = delete;

 private:
  sigset_t set_ = {};
  sigset_t before_ = {};
};

}  // namespace warpsim
