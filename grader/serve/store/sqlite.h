#pragma once

#include <filesystem>
#include <memory>

#include "grader/serve/store/database.h"

namespace warpgrade {

/// Opens or creates a database of SQLite, readable for its owner only. What was committed is on the
/// disk.
/// @throws StoreError
[[nodiscard]] std::unique_ptr<Database> open_sqlite(const std::filesystem::path& file);

}  // namespace warpgrade
