#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// What is on a timeline, by name.

namespace warpsim {

enum class OperationKind : std::uint8_t {
  kernel,
  copy,
  fill,  // a memset
  migration,  // of managed memory's pages
  event,  // its record
  host_function,
  host_wait,  // the host waits for the device; it is in no stream
};
/// Names in reports, by kind.
inline constexpr std::array<std::string_view, 7> kOperationKinds = {
    "kernel", "copy", "fill", "migration", "event", "host-function", "host-wait"};
constexpr auto names_of(OperationKind) {
  return kOperationKinds;
}
[[nodiscard]] constexpr std::string_view slug(OperationKind kind) {
  return kOperationKinds[static_cast<std::size_t>(kind)];
}

/// The engines of a card. A copy between devices takes one of each.
enum class EngineKind : std::uint8_t { kernels, copy_to_device, copy_to_host, none };
inline constexpr std::size_t kEngines = 3;
inline constexpr std::array<std::string_view, 4> kEngineKinds = {"kernels", "copy-to-device",
                                                                 "copy-to-host", "none"};
constexpr auto names_of(EngineKind) {
  return kEngineKinds;
}
[[nodiscard]] constexpr std::string_view slug(EngineKind engine) {
  return kEngineKinds[static_cast<std::size_t>(engine)];
}

/// A call that a harness announced: from when it began until its work was done.
struct CallInterval {
  double begin_ms = 0, end_ms = 0;
};

}  // namespace warpsim
