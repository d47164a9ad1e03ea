#include "grader/build/compile/object_cache.h"

#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/core/user_cache.h"
#include "harness/case/untrusted_file.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr const char* kKind = "objects";
constexpr std::chrono::hours kKept{7 * 24};
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;  // of one object

void remove_old(const fs::path& folder) {
  std::error_code error;
  const auto oldest = fs::file_time_type::clock::now() - kKept;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.last_write_time(error) < oldest) fs::remove(entry.path(), error);
  }
}

}  // namespace

std::optional<CachedBuild> load_object(const std::string& key, const fs::path& object) {
  const fs::path kept = cache_file(kKind, key + ".o");
  const std::optional<std::string> text = read_cached(cache_file(kKind, key + ".json"));
  if (!text) return std::nullopt;
  std::error_code error;
  if (!fs::copy_file(kept, object, fs::copy_options::overwrite_existing, error)) {
    return std::nullopt;
  }
  try {
    const auto document = nlohmann::json::parse(*text);
    CachedBuild build{
        .flags = {}, .log = document.at("log"), .source_folder = document.at("source_folder")};
    for (const auto& flag : document.at("flags")) {
      build.flags.push_back({.kind = flag.at("kind"),
                             .message = flag.at("message"),
                             .evidence = flag.at("evidence")});
    }
    for (const char* ending : {".o", ".json"}) {
      fs::last_write_time(cache_file(kKind, key + ending), fs::file_time_type::clock::now(), error);
    }
    return build;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void store_object(const std::string& key, const fs::path& object, const CachedBuild& build) {
  const std::optional<std::string> bytes = read_untrusted_file(object, kMostBytes);
  if (!bytes) return;
  auto flags = nlohmann::json::array();
  for (const IntegrityFlag& flag : build.flags) {
    flags.push_back({{"kind", flag.kind}, {"message", flag.message}, {"evidence", flag.evidence}});
  }
  // The object first: an entry is there when its text is.
  const fs::path text = cache_file(kKind, key + ".json");
  if (write_cached(cache_file(kKind, key + ".o"), *bytes)) {
    write_cached(
        text,
        nlohmann::json{{"log", build.log}, {"flags", flags}, {"source_folder", build.source_folder}}
            .dump());
    static std::once_flag once;
    std::call_once(once, [&] { remove_old(text.parent_path()); });
  }
}

}  // namespace warpgrade
