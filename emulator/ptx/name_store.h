#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warpsim::ptx {

/// Owns strings that the PTX text does not contain. Views into it stay valid for its lifetime, even
/// if it is moved.
class NameStore {
 public:
  /// Copies `text` and returns the view of the copy.
  std::string_view add(std::string_view text);
  std::string_view add(std::string_view first, std::string_view second);
  /// Adds `prefix` followed by `number` in decimal, then `suffix`.
  std::string_view add(std::string_view prefix, std::uint64_t number, std::string_view suffix = {});

 private:
  char* reserve(std::size_t size);

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t left_ = 0;  // bytes free at the end of the last block
  char* next_ = nullptr;
};

}  // namespace warpsim::ptx
