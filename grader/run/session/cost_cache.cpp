#include "grader/run/session/cost_cache.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/core/user_cache.h"

namespace warpgrade {
namespace {

std::filesystem::path file_of(const std::string& key) {
  return cache_file("reference", key + ".json");
}

}  // namespace

std::optional<ReferenceCost> load_cost(const std::string& key) {
  const std::optional<std::string> text = read_cached(file_of(key));
  if (!text) {
    return std::nullopt;
  }
  try {
    const auto document = nlohmann::json::parse(*text);
    return ReferenceCost{.modelled_ms = document.at("modelled_ms"),
                         .counters = document.at("counters").get<std::map<std::string, double>>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void store_cost(const std::string& key, const ReferenceCost& cost) {
  const nlohmann::json document = {{"modelled_ms", cost.modelled_ms}, {"counters", cost.counters}};
  write_cached(file_of(key), document.dump());
}

}  // namespace warpgrade
