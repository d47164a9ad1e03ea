#include "grader/session/cost_cache.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/core/cache_folder.h"
#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;

std::optional<ReferenceCost> load_cost(const std::string& key) {
  const fs::path file = cache_file("reference", key);
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) {
    return std::nullopt;
  }
  try {
    const auto document = nlohmann::json::parse(read_file(file));
    return ReferenceCost{.modelled_ms = document.at("modelled_ms"),
                         .counters = document.at("counters").get<std::map<std::string, double>>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void store_cost(const std::string& key, const ReferenceCost& cost) {
  const fs::path file = cache_file("reference", key);
  if (file.empty()) {
    return;
  }
  const nlohmann::json document = {{"modelled_ms", cost.modelled_ms}, {"counters", cost.counters}};
  try {
    write_file_atomically(file, document.dump());
  } catch (const EnvironmentError&) {
    // A read-only home: measured again next time.
  }
}

}  // namespace warpgrade
