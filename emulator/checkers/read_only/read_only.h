#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/read_only/address_sources.h"
#include "emulator/checkers/read_only/byte_uses.h"
#include "emulator/findings/finding.h"
#include "emulator/machine/observer.h"

namespace warpsim {

struct Program;

/// Finds read-only loads (`ld.global.nc`, which compilers use for `const ... __restrict__` pointers
/// and for __ldg()) of bytes that the same launch writes: a card may give the old value. What
/// contradicts what is said in byte_uses.h. Only launches are followed in which such a load and a
/// store may reach the same array, as far as the kernel's text and its arguments tell; the others
/// cost one look at the arguments. Textures and what functions copy are not followed.
class ReadOnlyLoads final : public Observer {
 public:
  Follows begin_launch(LaunchState& launch) override;
  /// Which of several reads or writes is reported must not depend on which host thread was faster.
  [[nodiscard]] bool needs_one_thread(const LaunchState&) const override { return followed_; }
  void end_launch(LaunchState& launch) override;

  void access(WarpContext& context, const MemoryAccess& access) override;
  void transfer(WarpContext& context, const Inst& in, std::uint64_t address, std::uint64_t bytes,
                AccessType type) override;

 private:
  /// A static instruction that reads or writes what is followed.
  struct Site {
    const Program* program = nullptr;
    const Inst* inst = nullptr;
    bool read_only = false;
    std::uint16_t number = 0;
    std::optional<Finding> finding;  // of a read: its first contradiction
  };
  using Range = std::pair<std::uint64_t, std::uint64_t>;  // addresses [first, second)

  [[nodiscard]] const GlobalAddresses& addresses_of(const LaunchState& launch);
  [[nodiscard]] bool may_meet(const LaunchState& launch);
  [[nodiscard]] bool is_followed(std::uint64_t address) const;
  Site& site_of(WarpContext& context, const Inst& in);
  void note(WarpContext& context, Site& site, std::size_t lane, std::uint64_t address,
            std::uint32_t bytes);
  void report(WarpContext& context, Site& read, std::uint32_t reader, const Site& write,
              std::uint32_t writer, std::uint64_t address);

  std::unordered_map<const Program*, GlobalAddresses> addresses_;
  // Of the launch that runs.
  bool followed_ = false;
  std::vector<Range> arrays_;  // that are followed; none: all are
  std::deque<Site> sites_;
  std::unordered_map<const Inst*, Site*> site_of_;
  ByteUses uses_;
};

[[nodiscard]] std::unique_ptr<Observer> make_read_only_checker();

}  // namespace warpsim
