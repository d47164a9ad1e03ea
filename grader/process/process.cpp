#include "grader/process/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "grader/core/error.h"
#include "grader/core/interrupt.h"
#include "grader/core/text.h"
#include "grader/process/pipe.h"
#include "grader/process/process_tree.h"
#include "grader/process/usage.h"
#include "grader/process/watch.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
namespace {

constexpr int kPollMs = 20;  // how late a time-out, a memory limit or ctrl-C is noticed

/// Everything that the child needs between vfork and exec, made before: in a program with threads,
/// only async-signal-safe calls are allowed there.
struct Prepared {
  std::vector<std::string> environment_text;
  std::vector<char*> argv;
  std::vector<char*> envp;
  std::string program;
  std::string folder;
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
bool enter(const ProcessSpec& spec, const Prepared& prepared) {
  ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  for (const PassedDescriptor& d : spec.descriptors) {
    if (d.ours == d.theirs) {
      ::fcntl(d.ours, F_SETFD, 0);
    } else if (::dup2(d.ours, d.theirs) < 0) {
      return false;
    }
  }
  return prepared.folder.empty() || ::chdir(prepared.folder.c_str()) == 0;
}

/// In the child: sends the error number to the parent.
[[noreturn]] void give_up(int error_fd) {
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(error_fd, &error, sizeof error);
  ::_exit(127);
}

[[noreturn]] void become(const ProcessSpec& spec, const Prepared& prepared, int input_fd,
                         int out_fd, int err_fd, int error_fd) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::dup2(input_fd, 0) < 0 || ::dup2(out_fd, 1) < 0 || ::dup2(err_fd, 2) < 0) {
    give_up(error_fd);
  }
  if (!enter(spec, prepared)) {
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

/// Ends the group on every way out, a thrown Interrupted included, and leaves no zombie.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    end_group();
    if (!reaped_) {
      ::waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void end_group() const { ::kill(-pid_, SIGKILL); }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// The wait status once it ended.
  [[nodiscard]] bool try_reap(int& status, bool block) {
    rusage usage = {};
    const pid_t r = ::wait4(pid_, &status, block ? 0 : WNOHANG, &usage);
    reaped_ = r == pid_;
    if (reaped_) {
      cpu_seconds_ = processor_seconds(usage);
    }
    return reaped_;
  }
  [[nodiscard]] double cpu_seconds() const { return cpu_seconds_; }

 private:
  pid_t pid_;
  bool reaped_ = false;
  double cpu_seconds_ = 0;
};

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
        fmt::format("the sandbox could not be made: {}", printable(result.err.substr(0, 500))));
  }
  constexpr int kSignalBase = 128;
  if (result.code > kSignalBase && result.code < kSignalBase + 32) {
    result.end = ProcessEnd::signalled;
    result.code -= kSignalBase;
  }
}

ProcessResult run_directly(const ProcessSpec& spec);

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
  const Prepared prepared = prepare(outer);
  if (enter(outer, prepared)) {
    ::execve(prepared.program.c_str(), prepared.argv.data(), prepared.envp.data());
  }
  return fmt::format("cannot run '{}': {}", prepared.program, std::strerror(errno));
}

namespace {

ProcessResult run_directly(const ProcessSpec& spec) {
  stop_if_interrupted();
  const Prepared prepared = prepare(spec);
  const Descriptor input_fd(
      ::open(spec.input.empty() ? "/dev/null" : spec.input.c_str(), O_RDONLY | O_CLOEXEC));
  if (input_fd.get() < 0) {
    throw EnvironmentError(
        fmt::format("cannot read {}: {}", spec.input.string(), std::strerror(errno)));
  }
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Pipe start_error = make_pipe();

  const Clock::time_point started = Clock::now();
  // Not fork(), which would copy all our page tables only for exec to drop them. The child shares
  // our memory until exec: it only makes system calls and never returns from this function.
  const pid_t pid = ::vfork();
  if (pid < 0) {
    throw EnvironmentError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  if (pid == 0) {
    become(spec, prepared, input_fd.get(), out.write.get(), err.write.get(),
           start_error.write.get());
  }
  ::setpgid(pid, pid);  // here too: whichever of us is first
  Child child(pid);
  out.write.reset();
  err.write.reset();
  start_error.write.reset();

  ProcessResult result;
  int error = 0;
  // Returns at once: exec closes the other end, or the error number arrives.
  if (::read(start_error.read.get(), &error, sizeof error) == sizeof error) {
    result.end = ProcessEnd::not_started;
    result.code = error;
    return result;
  }

  Capture captures[] = {
      {std::move(out.read), result.out, result.out_cut, spec.limits.output_bytes},
      {std::move(err.read), result.err, result.err_cut, spec.limits.output_bytes}};
  const auto elapsed = [&] { return Clock::now() - started; };
  Watch watch(spec, pid);
  ProcessEnd ended_by_us = ProcessEnd::exited;
  int status = 0;
  bool reaped = false;
  while (!reaped) {
    std::vector<pollfd> waiting;
    std::vector<Capture*> sources;
    for (Capture& c : captures) {
      if (c.fd.get() >= 0) {
        waiting.push_back({c.fd.get(), POLLIN, 0});
        sources.push_back(&c);
      }
    }
    if (waiting.empty()) {
      // Both streams are closed: it has ended, is about to, or goes on without them.
      reaped = child.try_reap(status, false);
      if (!reaped) {
        ::poll(nullptr, 0, 1);
      }
    } else {
      ::poll(waiting.data(), waiting.size(), kPollMs);
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (waiting[i].revents != 0) {
          sources[i]->read_some();
        }
      }
      reaped = child.try_reap(status, false);
    }
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

}  // namespace

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

std::string describe_end(const ProcessResult& result, const ProcessLimits& limits) {
  switch (result.end) {
    case ProcessEnd::exited:
      return fmt::format("exited with code {}", result.code);
    case ProcessEnd::out_of_time:
      return fmt::format("ran longer than {:g} s and was stopped",
                         std::chrono::duration<double>(limits.wall).count());
    case ProcessEnd::starved:
      return fmt::format(
          "got {:.1f} s of processor time in {:.0f} s, as the machine was busy with other "
          "programs, "
          "and was stopped",
          result.cpu_seconds, result.seconds);
    case ProcessEnd::out_of_memory:
      return fmt::format("used more than {} MiB of memory and was stopped",
                         limits.resident_bytes >> 20);
    case ProcessEnd::out_of_processes:
      return fmt::format("ran more than {} concurrent processes and was stopped", limits.processes);
    case ProcessEnd::out_of_disk:
      return fmt::format(
          "wrote more than {} MiB or {} files, or too many nested folders, and was stopped",
          limits.folder_bytes >> 20, limits.folder_files);
    case ProcessEnd::not_started:
      return fmt::format("could not be started: {}", std::strerror(result.code));
    case ProcessEnd::signalled:
      break;
  }
  const char* meaning = nullptr;
  switch (result.code) {
    case SIGSEGV:
      meaning = "invalid memory access";
      break;
    case SIGBUS:
      meaning = "invalid memory access (bus error)";
      break;
    case SIGFPE:
      meaning = "arithmetic error, such as an integer division by zero";
      break;
    case SIGABRT:
      meaning = "abort: an assertion, an uncaught exception, or corrupted memory";
      break;
    case SIGILL:
      meaning = "illegal instruction: control ran past the end of a function that returns a value";
      break;
    case SIGXCPU:
      meaning = "processor time limit";
      break;
    case SIGXFSZ:
      meaning = "file size limit";
      break;
    case SIGKILL:
      meaning = "killed from outside, perhaps for lack of memory or processor time";
      break;
    default:
      break;
  }
  return meaning != nullptr ? fmt::format("was ended by {} ({})", signal_name(result.code), meaning)
                            : fmt::format("was ended by {}", signal_name(result.code));
}

std::vector<std::pair<std::string, std::string>> base_environment() {
  std::vector<std::pair<std::string, std::string>> environment = {{"LC_ALL", "C.UTF-8"}};
  for (const char* name : {"PATH", "TMPDIR", "HOME"}) {
    if (const char* value = std::getenv(name)) {
      environment.emplace_back(name, value);
    }
  }
  return environment;
}

fs::path find_in_path(const std::string& program) {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, end)) / program;
    if (::access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) {
      return candidate;
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return {};
}

}  // namespace warpgrade
