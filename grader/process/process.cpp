#include "grader/process/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "grader/core/error.h"
#include "grader/core/interrupt.h"
#include "grader/core/text.h"
#include "grader/process/child.h"
#include "grader/process/pipe.h"
#include "grader/process/usage.h"
#include "grader/process/watch.h"

namespace warpgrade {
namespace {

using Clock = std::chrono::steady_clock;
/// How late a time-out or ctrl-C is noticed.
constexpr std::chrono::milliseconds kPoll{100};
/// How late its end is noticed where the kernel does not tell of it.
constexpr std::chrono::milliseconds kPollForEnd{20};

/// Collects one stream: keeps the first `limit` bytes and drains the rest, so that a program that
/// prints without end neither fills our memory nor blocks.
struct Capture {
  Descriptor fd;
  std::string& text;
  bool& cut;
  std::size_t limit;

  void read_some() {
    std::array<char, 65536> buffer;
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
      return;
    }
    if (n <= 0) {
      fd.reset();
      return;
    }
    const std::size_t room = limit - std::min(limit, text.size());
    text.append(buffer.data(), std::min(room, static_cast<std::size_t>(n)));
    cut = cut || static_cast<std::size_t>(n) > room;
  }
};

ProcessResult run_directly(const ProcessSpec& spec) {
  stop_if_interrupted();
  const Descriptor input_fd(
      ::open(spec.input.empty() ? "/dev/null" : spec.input.c_str(), O_RDONLY | O_CLOEXEC));
  if (input_fd.get() < 0) {
    throw EnvironmentError(
        fmt::format("cannot read {}: {}", spec.input.string(), std::strerror(errno)));
  }
  Pipe out = make_pipe();
  Pipe err = make_pipe();

  const Clock::time_point started = Clock::now();
  Child child(spec, {.in = input_fd.get(), .out = out.write.get(), .err = err.write.get()});
  out.write.reset();
  err.write.reset();

  ProcessResult result;
  if (child.start_error() != 0) {
    result.end = ProcessEnd::not_started;
    result.code = child.start_error();
    return result;
  }

  Capture captures[] = {
      {std::move(out.read), result.out, result.out_cut, spec.limits.output_bytes},
      {std::move(err.read), result.err, result.err_cut, spec.limits.output_bytes}};
  const auto elapsed = [&] { return Clock::now() - started; };
  Watch watch(spec, child.pid());
  ProcessEnd ended_by_us = ProcessEnd::exited;
  int status = 0;
  bool reaped = false;
  const Descriptor end = child.open_end();
  while (!reaped) {
    std::array<pollfd, 3> waiting = {{{captures[0].fd.get(), POLLIN, 0},
                                      {captures[1].fd.get(), POLLIN, 0},
                                      {end.get(), POLLIN, 0}}};  // negative: ignored
    const bool is_told_of_end = end.get() >= 0;
    const bool has_streams = waiting[0].fd >= 0 || waiting[1].fd >= 0;
    std::chrono::milliseconds patience = is_told_of_end ? kPoll : kPollForEnd;
    // Both streams are closed: it has ended, is about to, or goes on without them.
    if (!is_told_of_end && !has_streams) patience = std::chrono::milliseconds(1);
    patience = std::min(patience, watch.until_next_look(elapsed()));
    ::poll(waiting.data(), waiting.size(), static_cast<int>(patience.count()));
    for (std::size_t i = 0; i < std::size(captures); ++i) {
      if (waiting[i].revents != 0) captures[i].read_some();
    }
    if (!is_told_of_end || waiting[2].revents != 0) reaped = child.try_reap(status, false);
    if (reaped) {
      break;
    }
    stop_if_interrupted();
    ended_by_us = watch.look(elapsed());
    if (ended_by_us != ProcessEnd::exited) {
      child.end_group();
      reaped = child.try_reap(status, true);
    }
  }
  result.seconds = std::chrono::duration<double>(elapsed()).count();
  result.cpu_seconds = child.cpu_seconds();
  if (!spec.input.empty()) {
    // The child's reads move the offset of the file description that both have.
    const off_t offset = ::lseek(input_fd.get(), 0, SEEK_CUR);
    result.input_read = offset > 0 ? static_cast<std::uint64_t>(offset) : 0;
  }
  child.end_group();
  for (Capture& c : captures) {  // what was still in the pipes
    if (c.fd.get() >= 0) {
      ::fcntl(c.fd.get(), F_SETFL, O_NONBLOCK);
      for (int i = 0; i < 64 && c.fd.get() >= 0; ++i) {
        c.read_some();
      }
    }
  }
  if (ended_by_us == ProcessEnd::exited) {
    ended_by_us = watch.look_at_folders();
  }
  if (ended_by_us != ProcessEnd::exited) {
    result.end = ended_by_us;
  } else if (WIFSIGNALED(status)) {
    result.end = ProcessEnd::signalled;
    result.code = WTERMSIG(status);
  } else {
    result.end = ProcessEnd::exited;
    result.code = WEXITSTATUS(status);
  }
  return result;
}

constexpr int kStatusFd = 100;  // in bwrap
constexpr int kFilterFd = 101;

bool is_confined(const ProcessSpec& spec) {
  return spec.confinement && spec.confinement->sandbox.on();
}

/// The filter of system calls as a separate file description: reading moves the file offset.
Descriptor filter_file(SyscallTable table) {
  const std::string& program = syscall_filter(table);
  Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
  if (file.get() < 0 ||
      ::write(file.get(), program.data(), program.size()) != static_cast<ssize_t>(program.size()) ||
      ::lseek(file.get(), 0, SEEK_SET) != 0) {
    throw EnvironmentError(
        fmt::format("cannot pass on the system call filter: {}", std::strerror(errno)));
  }
  return file;
}

/// The same program, run by bwrap.
ProcessSpec behind_sandbox(const ProcessSpec& spec, int status_fd, int filter_fd) {
  ProcessSpec outer = spec;
  std::vector<std::string> argv = spec.argv;
  if (argv.at(0).find('/') == std::string::npos) {
    argv[0] = find_in_path(argv[0]).string();
  }
  std::vector<std::pair<std::string, std::string>> environment = spec.environment;
  // There is no home folder in there, and its name would reveal whose machine this is.
  std::erase_if(environment, [](const auto& entry) { return entry.first == "HOME"; });
  outer.argv = sandbox_command(*spec.confinement, argv, environment, spec.folder,
                               spec.limits.processes, kStatusFd, kFilterFd);
  outer.environment = {{"PATH", kSandboxPath}, {"LC_ALL", "C.UTF-8"}};
  outer.folder.clear();
  outer.descriptors.push_back({.ours = status_fd, .theirs = kStatusFd});
  outer.descriptors.push_back({.ours = filter_fd, .theirs = kFilterFd});
  return outer;
}

/// What bwrap says on its status pipe: {"child-pid": 4711, ...} and {"exit-code": 0}.
std::string read_sandbox_status(int fd) {
  std::string status;
  std::array<char, 512> buffer;
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  for (ssize_t n = 0; (n = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    status.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return status;
}

/// bwrap ends before the first process of its namespace, which then becomes our child: only waiting
/// for it tells the processor time used in there.
void reap_namespace(const std::string& status, ProcessResult& result) {
  constexpr std::string_view kKey = "\"child-pid\": ";
  const std::size_t at = status.find(kKey);
  const pid_t pid = at == std::string::npos ? 0 : std::atoi(status.c_str() + at + kKey.size());
  constexpr int kPatienceMs = 1000;
  for (int waited = 0; pid > 0 && waited < kPatienceMs; ++waited) {
    rusage usage = {};
    int ignored = 0;
    const pid_t reaped = ::wait4(pid, &ignored, WNOHANG, &usage);
    if (reaped == pid) {
      result.cpu_seconds += processor_seconds(usage);
    }
    if (reaped != 0) {
      return;
    }
    ::poll(nullptr, 0, 1);
  }
}

/// Without an exit code on the status pipe, the program never ran.
void judge_sandbox(const std::string& status, ProcessResult& result) {
  if (status.find("exit-code") == std::string::npos) {
    throw EnvironmentError(
        fmt::format("the sandbox could not be made: {}",
                    printable(trimmed(std::string_view(result.err).substr(0, 500), " \n"))));
  }
  constexpr int kSignalBase = 128;
  if (result.code > kSignalBase && result.code < kSignalBase + 32) {
    result.end = ProcessEnd::signalled;
    result.code -= kSignalBase;
  }
}

}  // namespace

ProcessResult run_process(const ProcessSpec& spec) {
  if (!is_confined(spec)) {
    return run_directly(spec);
  }
  static const bool inherits_orphans = ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
  const Pipe status = make_pipe();
  const Descriptor filter = filter_file(spec.confinement->calls());
  ProcessResult result = run_directly(behind_sandbox(spec, status.write.get(), filter.get()));
  const std::string told = read_sandbox_status(status.read.get());
  if (inherits_orphans) {
    reap_namespace(told, result);
  }
  if (result.end == ProcessEnd::not_started) {
    throw EnvironmentError(fmt::format("bwrap {}", describe_end(result, spec.limits)));
  }
  if (result.end == ProcessEnd::exited) {
    judge_sandbox(told, result);
  }
  return result;
}

std::string become_program(const ProcessSpec& spec) {
  Descriptor status;
  Descriptor filter;
  ProcessSpec outer = spec;
  if (is_confined(spec)) {
    status = Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    filter = filter_file(spec.confinement->calls());
    outer = behind_sandbox(spec, status.get(), filter.get());
  }
  const int error = replace_process(outer);
  return fmt::format("cannot run '{}': {}", outer.argv.at(0), std::strerror(error));
}

}  // namespace warpgrade
