#pragma once

#include <memory>
#include <string>

#include "grader/serve/store/address.h"
#include "grader/serve/store/database.h"
#include "grader/serve/store/postgresql_library.h"

namespace warpgrade {

/// Connects to a database of PostgreSQL. A connection that has ended is made again at the next
/// statement, if that is safe: before a transaction, and for statements that only read.
/// @throws StoreError        if it does not answer or refuses
/// @throws EnvironmentError  if this warpgrade has no library for it
[[nodiscard]] std::unique_ptr<Database> open_postgresql(const DatabaseAddress& address);

/// @throws EnvironmentError  if this warpgrade was built or packed without it, or it cannot be
/// loaded
[[nodiscard]] const PostgresLibrary& load_postgresql_library(const std::filesystem::path& folder);

/// A statement with $1, $2, ... in place of each `?` that is not in a literal.
[[nodiscard]] std::string with_numbered_parameters(const std::string& sql);

}  // namespace warpgrade
