#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/findings/finding.h"
#include "emulator/machine/observer.h"
#include "emulator/machine/sparse_pages.h"

namespace warpsim {

/// Finds stores to global memory whose values nothing reads: no load or atomic of this kernel or a
/// later one, no copy. A store counts as used as soon as one byte of all that its instruction wrote
/// is read. Memory that host code can reach is left out, as its reads are not seen.
class UnusedStores final : public Observer {
 public:
  Follows begin_launch(LaunchState& launch) override;
  /// Which store a load meets must not depend on which host thread was faster.
  [[nodiscard]] bool needs_one_thread(const LaunchState&) const override { return true; }
  void read_by_copy(std::uint64_t begin, std::uint64_t end) override;
  void finish(FindingLog& findings) override;

  void access(WarpContext& context, const MemoryAccess& access) override;
  void transfer(WarpContext& context, const Inst& in, std::uint64_t address, std::uint64_t bytes,
                AccessType type) override;

 private:
  /// A static store instruction.
  struct Site {
    Finding finding;  // of its first execution
    std::uint64_t stores = 0;  // of threads
    bool used = false;
  };
  using Number = std::uint16_t;  // of a site, from 1
  static constexpr Number kNone = 0;
  static constexpr std::uint64_t kPageBytes = 4096;
  /// By byte, the last store that wrote it.
  using Page = std::array<Number, kPageBytes>;

  Number number_of(WarpContext& context, const MemoryAccess& access, std::uint64_t address);
  void read(std::uint64_t begin, std::uint64_t end);
  void write(std::uint64_t begin, std::uint64_t end, Number number);

  std::vector<Site> sites_;
  std::unordered_map<const Inst*, Number> numbers_;
  SparsePages<Page> pages_;
};

[[nodiscard]] std::unique_ptr<Observer> make_unused_store_checker();

}  // namespace warpsim
