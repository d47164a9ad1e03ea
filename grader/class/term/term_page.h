#pragma once

#include <string>

#include "grader/class/term/term.h"
#include "grader/core/installation.h"

namespace warpgrade {

/// A term, or several years, as one page that opens offline.
[[nodiscard]] std::string term_page(const Term& term, const std::string& title,
                                    const Installation& installation);

}  // namespace warpgrade
