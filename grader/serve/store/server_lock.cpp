#include "grader/serve/store/server_lock.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>

#include "grader/core/error.h"
#include "grader/serve/store/postgresql.h"

namespace warpgrade {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kServer = 0x73657276;
constexpr std::chrono::milliseconds kPatience = 3s;

}  // namespace

ServerLock::ServerLock(const DatabaseAddress& address) {
  if (!address.is_postgresql()) return;
  connection_ = open_postgresql(address);
  // PostgreSQL may notice a little later that a server was killed.
  for (auto waited = 0ms; waited < kPatience; waited += 100ms) {
    Statement lock(*connection_, "SELECT CASE WHEN pg_try_advisory_lock(?) THEN 1 ELSE 0 END");
    lock.bind(kServer);
    if (lock.next() && lock.integer(0) == 1) return;
    std::this_thread::sleep_for(100ms);
  }
  throw UsageError(fmt::format(
      "another `warpgrade serve` uses the database {}. End that one, or make another database",
      address.name()));
}

}  // namespace warpgrade
