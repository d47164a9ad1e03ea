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

// What both pages are made with.

using PageData = kainjow::mustache::data;

/// An object of texts, each made printable and cut to what a page can bear.
[[nodiscard]] PageData texts(
    std::initializer_list<std::pair<const char*, std::string_view>> entries);

/// Sets `name` to the list, and `has_<name>` to whether it holds anything.
void set_list(PageData& object, const std::string& name, PageData list);

/// Sets `name` to the text, or to false when it is empty, so that a section can ask for it.
void set_text(PageData& object, const std::string& name, std::string_view text);

/// printable(), and at most about `limit` bytes of it; what was cut is counted.
[[nodiscard]] std::string shown(std::string_view raw, std::size_t limit);

/// A page as one file: template, style, scripts and data inside, and a policy that forbids every
/// request and every script but these.
///
/// @param page     the embedded template
/// @param data     what the scripts draw
/// @param scripts  embedded files, in the order in which they run
[[nodiscard]] std::string render_page(std::string_view page, PageData& values,
                                      const nlohmann::json& data,
                                      const std::vector<std::string_view>& scripts);

}  // namespace warpgrade
