#pragma once

#include <string>

#include "grader/serve/routes/call.h"

namespace warpgrade {

/// What a person gets who has submitted: number, checksum, and due date if there is one.
/// @param attempt  committed
[[nodiscard]] std::string receipt_line(const Server& server, const KeptAttempt& attempt);

/// The same as a text to keep, with the time and the SHA-256 of each file.
[[nodiscard]] std::string receipt_text(const Server& server, const KeptAttempt& attempt);

}  // namespace warpgrade
