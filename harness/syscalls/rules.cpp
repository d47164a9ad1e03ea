#include "harness/syscalls/rules.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "harness/syscalls/tables.h"

namespace warpgrade {

namespace {

/// libseccomp's functions return negative error numbers.
void check(int status, const std::string& what) {
  if (status < 0) {
    throw std::runtime_error("libseccomp: " + what + ": " + std::strerror(-status));
  }
}

template <class Use>
void for_each_word(std::string_view words, const Use& use) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    use(std::string(words.substr(0, end)));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

}  // namespace

SyscallRules::SyscallRules() : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release) {
  // That SCMP_ACT_KILL_PROCESS exists, as since Linux 4.14: libseccomp would ask this machine's
  // kernel, but the worker's filter is for another one, and may be made under qemu, which has no
  // seccomp.
  constexpr unsigned kKillsProcesses = 3;
  check(seccomp_api_set(kKillsProcesses), "API level");
  if (!context_) throw std::runtime_error("libseccomp: no filter for this architecture");
  check(seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
        "other architectures");
  // As a binary tree: about ten comparisons instead of a hundred.
  check(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimize");
}

void SyscallRules::add(std::uint32_t action, const std::string& name,
                       std::initializer_list<ArgumentIs> conditions) {
  const int number = seccomp_syscall_resolve_name(name.c_str());
  // Negative: exists on other architectures only, or is newer than this libseccomp.
  if (number < 0) return;
  std::vector<scmp_arg_cmp> compare;
  for (const ArgumentIs& is : conditions) {
    compare.push_back(
        {.arg = is.argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = is.mask, .datum_b = is.value});
  }
  check(seccomp_rule_add_array(context_.get(), action, number,
                               static_cast<unsigned>(compare.size()), compare.data()),
        name);
}

void SyscallRules::allow(std::string_view names) {
  for_each_word(names, [this](const std::string& name) {
    if (allowed_.insert(name).second) add(SCMP_ACT_ALLOW, name, {});
  });
}

void SyscallRules::allow_if(const std::string& name, std::initializer_list<ArgumentIs> conditions) {
  if (!allowed_.contains(name)) add(SCMP_ACT_ALLOW, name, conditions);
}

void SyscallRules::allow_unless(const std::string& name, unsigned argument, std::uint64_t value,
                                unsigned bits) {
  // Filters have no "not": one of the bits differs.
  for (unsigned bit = 0; bit < bits; ++bit) {
    const std::uint64_t mask = std::uint64_t{1} << bit;
    allow_if(name, {{.argument = argument, .value = ~value & mask, .mask = mask}});
  }
}

void SyscallRules::pretend_absent(std::string_view names) {
  for_each_word(names, [this](const std::string& name) {
    if (!allowed_.contains(name)) add(SCMP_ACT_ERRNO(ENOSYS), name, {});
  });
}

std::string SyscallRules::program() const {
  const int fd = memfd_create("filter", MFD_CLOEXEC);
  check(fd < 0 ? -errno : 0, "memfd_create");
  const int status = seccomp_export_bpf(context_.get(), fd);
  std::string bytes;
  std::array<char, 4096> part{};
  ssize_t n = 0;
  for (off_t at = 0; (n = pread(fd, part.data(), part.size(), at)) > 0; at += n) {
    bytes.append(part.data(), static_cast<std::size_t>(n));
  }
  close(fd);
  check(status, "seccomp_export_bpf");
  check(bytes.empty() ? -EIO : 0, "seccomp_export_bpf");
  return bytes;
}

void allow_own_ends(SyscallRules& rules) {
  constexpr std::uint64_t kKilled = 128 + SIGKILL;
  constexpr unsigned kCodeBits = 8;
  constexpr unsigned kSignalBits = 7;
  rules.allow_unless("exit", 0, kKilled, kCodeBits);
  rules.allow_unless("exit_group", 0, kKilled, kCodeBits);
  rules.allow_unless("kill", 1, SIGKILL, kSignalBits);
  rules.allow_unless("tgkill", 2, SIGKILL, kSignalBits);
}

namespace {

/// What both kinds of locked programs may do with certain arguments only.
void allow_with_conditions(SyscallRules& rules) {
  rules.allow_if("clone", {{.argument = 0,
                            .value = CLONE_THREAD,
                            .mask = kNamespaceFlags | std::uint64_t{CLONE_THREAD}}});
  rules.allow_if("prlimit64", {{.argument = 0, .value = 0}, {.argument = 2, .value = 0}});
  for (const unsigned long request : kHarmlessRequests) {
    rules.allow_if("ioctl", {{.argument = 1, .value = request}});
  }
  for (const unsigned long option : kLockedOptions) {
    rules.allow_if("prctl", {{.argument = 0, .value = option}});
  }
  allow_own_ends(rules);
  rules.pretend_absent(kAbsentCalls);
}

}  // namespace

SyscallRules locked_rules() {
  SyscallRules rules;
  rules.allow(kLockedCalls);
  // Executable mappings are no longer needed: the loader is done.
  for (const char* name : {"mmap", "mprotect"}) {
    rules.allow_if(name, {{.argument = 2, .value = 0, .mask = PROT_EXEC}});
  }
  // As realloc() moves memory: to no chosen place, and nothing stays behind.
  constexpr std::uint64_t kMayMove = 1;  // MREMAP_MAYMOVE
  rules.allow_if("mremap", {{.argument = 3, .value = 0, .mask = ~kMayMove}});
  // Only for an open descriptor, as the C library implements fstat().
  constexpr std::uint64_t kOfDescriptor = 0x1000;  // AT_EMPTY_PATH
  rules.allow_if("newfstatat", {{.argument = 3, .value = kOfDescriptor}});
  allow_with_conditions(rules);
  return rules;
}

SyscallRules python_rules() {
  SyscallRules rules;
  rules.allow(kPythonCalls);
  // For reading: no flag by which a file is made or changed.
  constexpr std::uint64_t kChanges =
      O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
  rules.allow_if("open", {{.argument = 1, .value = O_RDONLY, .mask = kChanges}});
  rules.allow_if("openat", {{.argument = 2, .value = O_RDONLY, .mask = kChanges}});
  for (const unsigned long option : kPythonDescriptorOptions) {
    rules.allow_if("fcntl", {{.argument = 1, .value = option}});
  }
  allow_with_conditions(rules);
  return rules;
}

}  // namespace warpgrade
