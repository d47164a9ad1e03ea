#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade {

/// A condition on an argument of a system call: (argument & mask) == value. A filter cannot
/// dereference pointers.
struct ArgumentIs {
  unsigned argument = 0;
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};
};

/// An allow-list of system calls for the architecture of this machine, made by libseccomp.
///
/// Other calls fail with EPERM. System calls of another architecture (32-bit, x32) end the process.
/// Names that this architecture does not have are skipped.
class SyscallRules {
 public:
  /// @throws std::runtime_error  like all its functions, if libseccomp fails
  SyscallRules();

  /// @param names  separated by spaces
  void allow(std::string_view names);
  /// Allows a call with these arguments only; repeated calls add alternatives. No effect on a name
  /// that is allowed with any arguments.
  void allow_if(const std::string& name, std::initializer_list<ArgumentIs> conditions);
  /// Allows a call unless the lowest `bits` bits of an argument have this value.
  void allow_unless(const std::string& name, unsigned argument, std::uint64_t value, unsigned bits);
  /// Makes calls fail with ENOSYS, as on an older kernel. No effect on allowed names.
  void pretend_absent(std::string_view names);

  /// In the kernel's format: an array of struct sock_filter.
  [[nodiscard]] std::string program() const;

 private:
  void add(std::uint32_t action, const std::string& name,
           std::initializer_list<ArgumentIs> conditions);

  std::unique_ptr<void, void (*)(void*)> context_;
  std::set<std::string> allowed_;
};

/// Allows kEndCalls but for SIGKILL, and for the exit code by which bubblewrap reports it: a
/// process that ended so was ended from outside, which costs a submission nothing.
void allow_own_ends(SyscallRules& rules);

/// The worker's second stage: for a submission's code, after all files are open.
[[nodiscard]] SyscallRules locked_rules();

/// The same for a submission in Python.
[[nodiscard]] SyscallRules python_rules();

}  // namespace warpgrade
