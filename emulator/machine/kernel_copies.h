#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/ptx/module.h"

namespace warpsim {

/// The mangled name of a function whose name in the source has a suffix. The suffix follows the
/// last name: "_Z5scalePfi" becomes "_Z10scale_copyPfi", and "scale" of `extern "C"` becomes
/// "scale_copy".
/// @returns nothing for a form that has no such name: a template, an operator
[[nodiscard]] std::optional<std::string> with_suffix(std::string_view mangled,
                                                     std::string_view suffix);

/// Copies of a program's kernels, compiled from a changed source into a module of their own. Copy 7
/// of `scale` is called `scale_copy7` in the source.
class KernelCopies {
 public:
  /// @returns nothing if the text is no PTX module
  [[nodiscard]] static std::optional<KernelCopies> parse(std::string ptx);

  /// The text of a copy, which can take the kernel's place: it has parameters and shared arrays of
  /// the same sizes, and no places in the source.
  /// @returns nothing if there is no such copy, or if it differs in these
  [[nodiscard]] std::optional<ptx::Function> of(const ptx::Function& kernel,
                                                std::uint32_t number) const;

 private:
  explicit KernelCopies(ptx::Module module) : module_(std::move(module)) {}

  ptx::Module module_;
};

}  // namespace warpsim
