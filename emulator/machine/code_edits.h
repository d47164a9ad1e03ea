#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/changes/code_edit.h"
#include "emulator/machine/editable_text.h"
#include "emulator/machine/kernel_copies.h"
#include "emulator/machine/linker.h"

namespace warpsim {

/// Edits of the code that kernels have run, one at a time. Nothing of an edit stays once it is
/// taken back: kernels have their text and what was decoded from it again.
class CodeEdits {
 public:
  /// @param kernels  that were launched; what they call is edited, too, if it has run
  explicit CodeEdits(std::span<const Kernel* const> kernels);
  ~CodeEdits() { take_back(); }
  CodeEdits(const CodeEdits&) = delete;
  CodeEdits& operator=(const CodeEdits&) = delete;

  /// possible_edits.h
  [[nodiscard]] std::vector<CodeEdit> possible(std::size_t most) const;

  /// Launches of the kernels from here on run code with this edit, and without the one before it.
  /// @returns the number of instructions that are changed
  std::size_t make(const CodeEdit& edit);
  /// The same with whole kernels: those of which there is a copy of this number are replaced by it.
  /// @param copies  must stay until the copy is taken back
  /// @returns the number of kernels that are replaced
  std::size_t replace(const KernelCopies& copies, std::uint32_t number);
  void take_back();

 private:
  struct Text {
    FunctionRef* ref = nullptr;
    const ptx::Function* original = nullptr;
  };
  /// What a kernel has while none of its functions is edited.
  struct Unedited {
    Kernel* kernel = nullptr;
    Program* entry = nullptr;
    std::unordered_map<const FunctionRef*, std::shared_ptr<Program>> programs;
    SharedLayout shared;
  };

  void put(const Text& text, ptx::Function edited);
  void decode_again();

  std::vector<Kernel*> kernels_;
  std::vector<Text> texts_;
  std::vector<EditableText> editable_;  // of each text
  std::vector<Text> edited_;
  std::vector<Unedited> unedited_;
};

/// Exchanges what an edit can change of two versions of a function.
void swap_text(ptx::Function& one, ptx::Function& other);

}  // namespace warpsim
