#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/serve/identity/sign_in_library.h"

namespace warpgrade::testing {

/// A key that signs tokens, made by cjose.
class SigningKey {
 public:
  static SigningKey rsa(const std::string& id, std::size_t bits = 2048);
  static SigningKey elliptic(const std::string& id);
  /// A secret for HS256.
  static SigningKey secret(const std::string& id, const std::string& bytes);

  /// As the provider publishes it.
  [[nodiscard]] nlohmann::json published() const;
  /// @param header  instead of the algorithm of this key and its id
  [[nodiscard]] std::string sign(const nlohmann::json& claims,
                                 const nlohmann::json& header = nullptr) const;

 private:
  SigningKey(std::string id, std::string algorithm, void* key);
  std::string id_;
  std::string algorithm_;
  std::shared_ptr<void> key_;
};

/// base64url without padding.
[[nodiscard]] std::string base64url(const std::string& bytes);

/// The provider https://login.example.org without a network: answers what its members say.
class TestProvider final : public SignInLibrary {
 public:
  TestProvider();

  [[nodiscard]] FetchResult fetch(const FetchRequest& request) const override;
  [[nodiscard]] bool verify(const std::string& token, const std::string& key) const override;
  [[nodiscard]] std::string sign(const std::string& payload, const std::string& id,
                                 const std::string& private_key) const override;
  [[nodiscard]] std::string new_key() const override;

  /// The number of requests for an address that ends so.
  [[nodiscard]] std::size_t asked(const std::string& end) const;

  Instant now;
  SigningKey key = SigningKey::elliptic("first");  // made in no time, which RSA's are not
  std::vector<nlohmann::json> keys;  // published
  nlohmann::json document;
  nlohmann::json claims;  // of ID tokens, without the nonce
  std::string nonce;
  nlohmann::json user_info;
  FetchResult token_answer = {};  // instead of tokens, if it has a status or a problem
  bool down = false;
  std::function<void()> while_redeeming = nullptr;  // called while a code is redeemed
  mutable std::vector<FetchRequest> requests = {};
};

}  // namespace warpgrade::testing
