#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade {

/// An argument of a system call, as far as a filter looks at it: (argument & mask) == value. What
/// it points to cannot be looked at.
struct ArgumentIs {
  unsigned argument = 0;
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};
};

/// An allow-list of system calls for the architecture of this machine, made by libseccomp.
///
/// What is not in it fails with EPERM. System calls of another architecture (32-bit, x32) end the
/// process. Names that this architecture does not have are skipped.
class SyscallRules {
 public:
  /// @throws std::runtime_error  as all its functions do, when libseccomp refuses
  SyscallRules();

  /// @param names  with a space between two
  void allow(std::string_view names);
  /// With these arguments only; several calls add up. Nothing for what is allowed with any.
  void allow_if(const std::string& name, std::initializer_list<ArgumentIs> conditions);
  /// Fails with ENOSYS, as on an older kernel. Nothing for what is allowed.
  void pretend_absent(std::string_view names);

  /// As the kernel runs it: an array of struct sock_filter.
  [[nodiscard]] std::string program() const;

 private:
  void add(std::uint32_t action, const std::string& name,
           std::initializer_list<ArgumentIs> conditions);

  std::unique_ptr<void, void (*)(void*)> context_;
  std::set<std::string> allowed_;
};

/// The worker's second stage: for a submission's code, when all files are open.
[[nodiscard]] SyscallRules locked_rules();

}  // namespace warpgrade
