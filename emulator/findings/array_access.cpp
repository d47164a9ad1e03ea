#include "emulator/findings/array_access.h"

#include <fmt/core.h>

#include "emulator/findings/plural.h"

namespace warpsim {

std::int64_t ArrayAccess::element() const {
  if (!known()) return 0;
  const auto size = static_cast<std::int64_t>(width);
  return offset >= 0 ? offset / size : -((size - 1 - offset) / size);
}

bool ArrayAccess::is_next_after() const {
  return known() && bytes > width && offset >= 0 && static_cast<std::uint64_t>(offset) == bytes;
}

std::string ArrayAccess::element_in_words() const {
  return known() ? fmt::format("element {} of {}", element(), plural(width, "byte")) : "";
}

std::string ArrayAccess::in_words() const {
  if (offset < 0) {
    const std::string place = fmt::format("{} before the start", plural(-offset, "byte"));
    return known() ? fmt::format("{} (element {})", place, element()) : place;
  }
  const std::string place = fmt::format("byte offset {}", offset);
  return known() ? fmt::format("{} ({})", place, element_in_words()) : place;
}

}  // namespace warpsim
