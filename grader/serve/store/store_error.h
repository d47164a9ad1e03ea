#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace warpgrade {

/// The database does not take or give something: a full disk, a lock, a damaged file, no answer.
/// The message is a sentence for the person who asked.
class StoreError : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    full,
    locked,
    unreachable,  // a database on another machine does not answer
    broken,
  };
  StoreError(Kind what, const std::string& message) : std::runtime_error(message), kind(what) {}
  Kind kind;
};

}  // namespace warpgrade
