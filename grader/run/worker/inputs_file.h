#pragma once

#include <filesystem>
#include <vector>

#include "emulator/cudart/decoy_file.h"

namespace warpgrade {

/// Other inputs for a device process, as emulator/cudart/decoy_file.h has them, in a file in memory
/// that is kept for the next device process: its pages are there already, and nothing goes to a
/// disk. Only the device process of this run must get it.
class InputsFile {
 public:
  /// Without a file if there is no memory or descriptor for it.
  explicit InputsFile(const std::vector<warpsim::cudart::DecoyView>& arrays);
  ~InputsFile();
  InputsFile(const InputsFile&) = delete;
  InputsFile& operator=(const InputsFile&) = delete;

  /// For reading only; -1: there is no file.
  [[nodiscard]] int descriptor() const { return readable_; }

 private:
  int file_ = -1;
  int readable_ = -1;
};

}  // namespace warpgrade
