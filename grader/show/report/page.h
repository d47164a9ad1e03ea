#pragma once

#include <cstddef>
#include <initializer_list>
#include <kainjow/mustache.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade {

// Helpers for both pages.

using PageData = kainjow::mustache::data;

/// An object of texts, each made printable and truncated to a sensible length.
[[nodiscard]] PageData texts(
    std::initializer_list<std::pair<const char*, std::string_view>> entries);

/// Sets `name` to the list, and `has_<name>` to whether it is not empty.
void set_list(PageData& object, const std::string& name, PageData list);

/// Sets `name` to the text, or to false if it is empty, so that a section can test it.
void set_text(PageData& object, const std::string& name, std::string_view text);

/// printable(), truncated to about `limit` bytes, with the number of bytes left out.
[[nodiscard]] std::string shown(std::string_view raw, std::size_t limit);

/// A page as one file: template, style, scripts and data, and a content security policy that
/// forbids all requests and all other scripts.
///
/// @param page     the embedded template
/// @param data     the data that the scripts draw
/// @param scripts  embedded files, in the order in which they run
/// @param styles   embedded files after the style sheet of all pages
[[nodiscard]] std::string render_page(std::string_view page, PageData& values,
                                      const nlohmann::json& data,
                                      const std::vector<std::string_view>& scripts,
                                      const std::vector<std::string_view>& styles = {});

}  // namespace warpgrade
