#pragma once

#include <memory>

#include "grader/serve/store/address.h"
#include "grader/serve/store/database.h"

namespace warpgrade {

/// One server per database: a second one would begin what the first one runs. The database releases
/// it when the connection ends, however the process does. SQLite's is the lock of its folder.
class ServerLock {
 public:
  /// @throws UsageError  if another server has it
  /// @throws StoreError, EnvironmentError
  explicit ServerLock(const DatabaseAddress& address);

 private:
  std::unique_ptr<Database> connection_;  // null for SQLite
};

}  // namespace warpgrade
