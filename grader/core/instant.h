#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

/// A moment, UTC, to the second.
using Instant = std::chrono::sys_seconds;

/// Reads ISO 8601 with a time zone: "2026-11-20T23:59:00+01:00", "2026-11-20 22:59Z". Seconds may
/// be missing or have a fraction, which is dropped.
///
/// @param problem  what is wrong and what to write, if there is no result
[[nodiscard]] std::optional<Instant> parse_instant(std::string_view text, std::string& problem);

/// "2026-11-20T22:59:00Z"
[[nodiscard]] std::string instant_text(Instant instant);

/// When a file was last modified; nothing if that is unknown.
[[nodiscard]] std::optional<Instant> modified_at(const std::filesystem::path& file);

[[nodiscard]] Instant now_utc();

}  // namespace warpgrade
