#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/ptx/module.h"

namespace warpsim {

/// A demangled function whose name has a suffix: "void n::scale<4>(float*)" becomes
/// "void n::scale_copy<4>(float*)". Anonymous namespaces are left out, since a copy is outside.
[[nodiscard]] std::string with_suffix(std::string_view demangled, std::string_view suffix);

/// Copies of a program's kernels, compiled from a changed source into a module of their own. Copy 7
/// of `scale` is called `scale_copy7` in the source.
class KernelCopies {
 public:
  /// @returns nothing if the text is no PTX module
  [[nodiscard]] static std::optional<KernelCopies> parse(std::string ptx);

  /// The text of a copy, which can take the kernel's place: it has parameters and shared arrays of
  /// the same sizes, and no places in the source. Shared arrays outside of functions, as clang
  /// compiles all of them, are those of the program.
  /// @param program  that the kernel is in
  /// @returns nothing if there is no such copy, or if it differs in these
  [[nodiscard]] std::optional<ptx::Function> of(const ptx::Function& kernel,
                                                const ptx::Module& program,
                                                std::uint32_t number) const;

 private:
  explicit KernelCopies(ptx::Module module);
  /// Names of the copy's shared arrays outside of functions, with the program's names for them.
  /// @returns nothing if the program has none of the same size
  [[nodiscard]] std::optional<std::map<std::string_view, std::string_view>> shared_names(
      const ptx::Function& copy, const ptx::Module& program, std::uint32_t number) const;

  ptx::Module module_;
  std::map<std::string, std::size_t> by_name_;  // demangled
};

}  // namespace warpsim
