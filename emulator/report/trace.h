#pragma once

#include <nlohmann/json_fwd.hpp>

#include "emulator/timeline/timeline.h"

namespace warpsim {

/// The timeline in the Trace Event Format, which Perfetto (ui.perfetto.dev) and chrome://tracing
/// read: for each device a process with a lane per engine and one with a lane per stream, and one
/// for the host. Times are in microseconds.
[[nodiscard]] nlohmann::ordered_json to_trace(const Timeline& timeline);

}  // namespace warpsim
