#include <string>

#include "grader/serve/identity/library/fetch.h"
#include "grader/serve/identity/library/signatures.h"
#include "grader/serve/identity/sign_in_library.h"

// What is loaded: kSignInEntry.

namespace warpgrade {
namespace {

class ByCurlAndCjose final : public SignInLibrary {
 public:
  [[nodiscard]] FetchResult fetch(const FetchRequest& request) const override {
    return fetch_by_curl(request);
  }
  [[nodiscard]] bool verify(const std::string& token, const std::string& key) const override {
    return verify_by_cjose(token, key);
  }
  [[nodiscard]] std::string sign(const std::string& payload, const std::string& id,
                                 const std::string& key) const override {
    return sign_by_cjose(payload, id, key);
  }
  [[nodiscard]] std::string new_key() const override { return new_key_by_cjose(); }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const SignInLibrary& warpgrade_sign_in() {
  static const ByCurlAndCjose library;
  return library;
}

}  // namespace warpgrade
