#include "grader/serve/identity/keys.h"

#include "grader/serve/identity/id_token.h"
#include "grader/serve/identity/requests.h"

namespace warpgrade {

std::vector<nlohmann::json> ProviderKeys::find(const std::string& url, const std::string& id) {
  const std::lock_guard lock(mutex_);
  const Instant now = now_();
  const auto fetch = [&] {
    keys_ = {fetch_object(library_, {.url = url}, "the provider's keys"), now};
  };
  const auto found = [&] {
    std::vector<nlohmann::json> keys;
    const auto list = keys_->object.find("keys");
    if (list == keys_->object.end() || !list->is_array()) return keys;
    for (const nlohmann::json& key : *list) {
      if (id.empty() || text_at(key, "kid") == id) keys.push_back(key);
    }
    return keys;
  };
  if (!keys_ || now - keys_->at >= kKept) fetch();
  std::vector<nlohmann::json> keys = found();
  if (keys.empty() && now - keys_->at >= kPause) {
    fetch();
    keys = found();
  }
  return keys;
}

}  // namespace warpgrade
