#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/changes/call_edit.h"
#include "emulator/cudart/announced_call.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/call_sites.h"
#include "emulator/device/card.h"

namespace warpsim::cudart {

/// The work of a call with one edit.
struct EditedWork {
  std::vector<const RecordedStep*> steps;
  std::deque<RecordedStep> changed;  // that some of them point to
};

/// Edits of what the program's host code asked for in a recorded call.
class CallEdits {
 public:
  CallEdits(const CallSites& sites, const CallRecord& record,
            std::span<const AnnouncedArray> arrays, const Card& card)
      : sites_(sites), record_(record), arrays_(arrays), card_(card) {}

  /// @returns nothing if it changes no work of this call, or if that cannot be done
  [[nodiscard]] std::optional<EditedWork> make(const CallEdit& edit) const;

 private:
  [[nodiscard]] EditedWork made_otherwise(const WorkSite& site, const CallEdit& edit) const;
  /// Each: whether something is changed.
  bool change(LaunchStep& step, const CallEdit& edit, std::size_t number) const;
  bool change(CopyStep& step, const CallEdit& edit) const;
  bool change(FillStep& step, const CallEdit& edit) const;
  bool change_argument(LaunchStep& step, std::size_t argument, const CallEdit& edit,
                       std::size_t number) const;
  bool change_grid(LaunchStep& step, const CallEdit& edit) const;
  [[nodiscard]] std::optional<std::int64_t> value_of(const CallValue& to, const LaunchStep& step,
                                                     std::int64_t now) const;
  [[nodiscard]] std::optional<std::uint64_t> blocks_of(const CallEdit& edit, const LaunchStep& step,
                                                       std::uint64_t now) const;
  /// The argument of a launch that a value names.
  [[nodiscard]] const std::vector<std::byte>* argument(const CallEdit& edit, const LaunchStep* step,
                                                       std::size_t before) const;
  [[nodiscard]] const AnnouncedArray* array(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> bytes_of(const CallEdit& edit, std::uint64_t now,
                                                      std::uint64_t address) const;
  /// The bytes that a copy from the host's memory gives, if all are known.
  [[nodiscard]] std::optional<HostBytes> host_bytes(const CopyStep& step) const;

  const CallSites& sites_;
  const CallRecord& record_;
  std::span<const AnnouncedArray> arrays_;
  const Card& card_;
};

/// The edits of a call that undo common slips, the most common ones first.
[[nodiscard]] std::vector<CallEdit> possible_call_edits(const CallSites& sites,
                                                        std::span<const AnnouncedArray> arrays);

}  // namespace warpsim::cudart
