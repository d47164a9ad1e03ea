#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "grader/core/error.h"

namespace warpgrade {

/// Runs a part of the work whose failure must not stop the others.
/// @returns the text of the exception that ended it; nothing if it returned
/// @throws EnvironmentError, Interrupted  from the part, since they concern the whole run
[[nodiscard]] inline std::optional<std::string> contained_error(const std::function<void()>& part) {
  try {
    part();
    return std::nullopt;
  } catch (const EnvironmentError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace warpgrade
