#pragma once

#include <cstdint>
#include <memory>

#include "grader/serve/store/address.h"
#include "grader/serve/store/database.h"

namespace warpgrade {

/// The newest version of the tables.
[[nodiscard]] std::int64_t newest_schema();
/// The statements that bring a database from the version before to this one, from 1. They are never
/// changed once they were released.
[[nodiscard]] const char* schema_step(Database::Dialect dialect, std::int64_t version);

/// Brings the tables up to date, or up to a version, which is for tests.
/// @throws StoreError  also if they are newer
void migrate(Database& database, std::int64_t to_version = newest_schema());
/// That the tables are the newest.
/// @throws StoreError
void require_newest(Database& database);

/// Opens the database of `warpgrade serve`, creates that of SQLite, and brings one of an earlier
/// version up to date. What was committed is on the disk.
/// @throws StoreError, EnvironmentError
[[nodiscard]] std::unique_ptr<Database> open_database(const DatabaseAddress& address);

/// Milliseconds since 1970, UTC: the unit of all times in the database.
[[nodiscard]] std::int64_t now_ms();

}  // namespace warpgrade
