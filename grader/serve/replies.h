#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "grader/serve/http/message.h"
#include "grader/serve/http/url.h"

// Responses of each kind, with their content security policies.

namespace warpgrade {

/// A page of the server, which runs no inline script or style.
/// @param nonce  of the style elements that its editor makes; empty: none
[[nodiscard]] HttpResponse page(std::string html, const std::string& nonce = {});

/// A page with forms. Browsers send the origin with a form only if the page's referrer policy lets
/// them, so that this one lets them within this server.
[[nodiscard]] HttpResponse form_page(std::string html);

/// A handout or a report: a page that is complete in itself, whose own policy allows the scripts
/// inside by their hashes. Sandboxed, it has an origin of its own, from which it reaches nothing of
/// this server.
[[nodiscard]] HttpResponse document(std::string html);

[[nodiscard]] HttpResponse json_response(const nlohmann::ordered_json& value, int status = 200);

/// {"error": sentence}
[[nodiscard]] HttpResponse refusal(int status, const std::string& sentence);

/// A page of one sentence.
/// @param next  where the browser goes at once; empty: it stays
[[nodiscard]] HttpResponse message(int status, const std::string& title, const std::string& text,
                                   const std::string& next = {});
/// The same, with a link.
[[nodiscard]] HttpResponse notice(int status, const std::string& title, const std::string& text,
                                  const std::string& link, const std::string& link_text);
[[nodiscard]] HttpResponse not_found();

/// To another page of this server, with a GET.
[[nodiscard]] HttpResponse see_other(const std::string& path);

/// A file to save.
[[nodiscard]] HttpResponse download(std::string content, const std::string& type,
                                    const std::string& name);

/// What every response has.
void add_headers(HttpResponse& response);

/// A positive number; nothing for any other text.
[[nodiscard]] std::optional<std::int64_t> positive_number(const std::string& text);

/// Empty if it is not there.
[[nodiscard]] std::string value_of(const std::map<std::string, std::string>& fields,
                                   const std::string& name);

}  // namespace warpgrade
