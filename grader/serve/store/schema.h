#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "grader/serve/store/sqlite.h"

namespace warpgrade {

/// Opens or creates the database of `warpgrade serve`, and brings one of an earlier version up to
/// date. What was committed is on the disk. The file is readable for its owner only.
/// @throws StoreError
[[nodiscard]] std::unique_ptr<Database> open_database(const std::filesystem::path& file);

/// Milliseconds since 1970, UTC: the unit of all times in the database.
[[nodiscard]] std::int64_t now_ms();

}  // namespace warpgrade
