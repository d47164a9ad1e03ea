#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "emulator/machine/memory.h"
#include "emulator/remote/device/session.h"

namespace warpsim::remote {

/// Memory of the session's shared file: the program sees it at its own addresses.
class SharedArena : public SharedPages {
 public:
  explicit SharedArena(Session& session);

  Range allocate(std::uint64_t bytes) override;
  void release(const Range& range, std::uint64_t bytes) override;
  std::byte* adopt(std::uint64_t address, std::uint64_t bytes) override;
  void disown(std::uint64_t address, std::uint64_t bytes) override;

 private:
  /// Room in the file. @returns kNowhere when there is none
  std::uint64_t take(std::uint64_t bytes);
  void give_back(std::uint64_t offset, std::uint64_t bytes);
  bool ask(Request request, std::uint64_t a, std::uint64_t b, std::uint64_t c = 0);

  Session& session_;
  std::byte* base_ = nullptr;  // of the whole file, here
  std::mutex mutex_;
  std::uint64_t next_ = 0;
  std::multimap<std::uint64_t, std::uint64_t> free_;  // bytes to offset
  struct Adopted {
    std::uint64_t offset = 0;
    int users = 0;
  };
  std::map<std::uint64_t, Adopted> pages_;  // of the program's own, by address
};

}  // namespace warpsim::remote
