#include "grader/process/child.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "grader/core/error.h"
#include "grader/process/pipe.h"
#include "grader/process/usage.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Everything that the child needs between vfork and exec, made before: in a program with threads,
/// only async-signal-safe calls are allowed there.
struct Prepared {
  std::vector<std::string> environment_text;
  std::vector<char*> argv;
  std::vector<char*> envp;
  std::string program;
  std::string folder;
  std::vector<PassedDescriptor> descriptors;
  int above = 3;  // more than any number that the program gets
};

Prepared prepare(const ProcessSpec& spec) {
  Prepared p;
  p.program = spec.argv.at(0);
  if (p.program.find('/') == std::string::npos) {
    if (const fs::path found = find_in_path(p.program); !found.empty()) {
      p.program = found.string();
    }
  }
  p.folder = spec.folder.string();
  p.descriptors = spec.descriptors;
  for (const PassedDescriptor& d : p.descriptors) p.above = std::max(p.above, d.theirs + 1);
  for (const std::string& arg : spec.argv) {
    p.argv.push_back(const_cast<char*>(arg.c_str()));  // execve takes char*, and does not write
  }
  p.argv.push_back(nullptr);
  for (const auto& [name, value] : spec.environment) {
    p.environment_text.push_back(name + "=" + value);
  }
  for (std::string& text : p.environment_text) {
    p.envp.push_back(text.data());
  }
  p.envp.push_back(nullptr);
  return p;
}

/// @param grace  how long after the limit the signal SIGXCPU is given to the process before SIGKILL
void limit(__rlimit_resource resource, rlim_t value, rlim_t grace = 0) {
  const rlimit limits = {value, value + grace};
  ::setrlimit(resource, &limits);
}

/// Keeps the descriptors that the program gets, closes all others at exec, and goes to its folder.
/// False with errno if that fails. Async-signal-safe.
bool enter(Prepared& prepared) {
  ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  // One of ours may have the number that another one gets.
  for (PassedDescriptor& d : prepared.descriptors) {
    if (d.ours < prepared.above) d.ours = ::fcntl(d.ours, F_DUPFD_CLOEXEC, prepared.above);
    if (d.ours < 0) return false;
  }
  for (const PassedDescriptor& d : prepared.descriptors) {
    if (::dup2(d.ours, d.theirs) < 0) return false;
  }
  return prepared.folder.empty() || ::chdir(prepared.folder.c_str()) == 0;
}

/// In the child: sends the error number to the parent.
[[noreturn]] void give_up(int error_fd) {
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(error_fd, &error, sizeof error);
  ::_exit(127);
}

[[noreturn]] void become(const ProcessSpec& spec, Prepared& prepared,
                         const StandardStreams& streams, int error_fd) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (error_fd < prepared.above) {
    const int above = ::fcntl(error_fd, F_DUPFD_CLOEXEC, prepared.above);
    if (above < 0) give_up(error_fd);
    error_fd = above;
  }
  if (::dup2(streams.in, 0) < 0 || ::dup2(streams.out, 1) < 0 || ::dup2(streams.err, 2) < 0 ||
      !enter(prepared)) {
    give_up(error_fd);
  }
  limit(RLIMIT_CORE, 0);
  if (spec.limits.address_bytes > 0) {
    limit(RLIMIT_AS, spec.limits.address_bytes);
  }
  if (spec.limits.cpu.count() > 0) {
    // SIGXCPU tells the reason; SIGKILL would not.
    limit(RLIMIT_CPU, static_cast<rlim_t>(spec.limits.cpu.count()), 1);
  }
  if (spec.limits.file_bytes > 0) {
    limit(RLIMIT_FSIZE, spec.limits.file_bytes);
  }
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) {
    std::signal(number, SIG_DFL);
  }
  ::execve(prepared.program.c_str(), prepared.argv.data(), prepared.envp.data());
  give_up(error_fd);
}

}  // namespace

Child::Child(const ProcessSpec& spec, const StandardStreams& streams) {
  Prepared prepared = prepare(spec);
  Pipe error = make_pipe();
  // Not fork(), which would copy all our page tables only for exec to drop them. The child shares
  // our memory until exec: it only makes system calls and never returns from this function.
  pid_ = ::vfork();
  if (pid_ < 0) {
    throw EnvironmentError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (pid_ == 0) become(spec, prepared, streams, error.write.get());
  ::setpgid(pid_, pid_);  // here too: whichever of us is first
  error.write.reset();
  // Returns at once: exec closes the other end, or the error number arrives.
  int number = 0;
  if (::read(error.read.get(), &number, sizeof number) == sizeof number) start_error_ = number;
}

Child::~Child() {
  end_group();
  int status = 0;
  while (!reaped_ && !try_reap(status, true) && errno == EINTR) {
  }
}

Descriptor Child::open_end() const {
  // Not pidfd_open(): the header of glibc 2.36 declares it for C only.
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
}

void Child::end_group() const {
  ::kill(-pid_, SIGKILL);
}

bool Child::try_reap(int& status, bool block) {
  if (reaped_) return true;
  rusage usage = {};
  reaped_ = ::wait4(pid_, &status, block ? 0 : WNOHANG, &usage) == pid_;
  if (reaped_) cpu_seconds_ = processor_seconds(usage);
  return reaped_;
}

int replace_process(const ProcessSpec& spec) {
  Prepared prepared = prepare(spec);
  if (enter(prepared)) {
    ::execve(prepared.program.c_str(), prepared.argv.data(), prepared.envp.data());
  }
  return errno;
}

}  // namespace warpgrade
