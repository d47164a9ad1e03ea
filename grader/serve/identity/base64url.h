#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

/// RFC 7515, section 2: base64url without padding. Nothing for any other text.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

/// The SHA-256 of a text, in base64url: RFC 7636's method S256.
[[nodiscard]] std::string base64url_of_sha256(std::string_view text);

}  // namespace warpgrade
