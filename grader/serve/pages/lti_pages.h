#pragma once

#include <string>
#include <vector>

#include "grader/serve/lti/lti.h"
#include "grader/submit/course/course.h"
#include "harness/lab/lab.h"

// The pages of a class that is connected with a learning platform.

namespace warpgrade {

/// For staff: connected courses, who is not in the class, links and their labs, grades that were
/// passed back.
[[nodiscard]] std::string lti_page(Lti& lti, const Course& course, const std::vector<Lab>& labs,
                                   const std::string& form_token);

/// In a frame of a platform: a link that opens this server in a window.
[[nodiscard]] std::string lti_window_page(const std::string& link);

/// The labs of which staff chooses for a course of a platform.
/// @param choice  the token of LtiChoices
[[nodiscard]] std::string lti_choose_page(const std::vector<Lab>& labs, bool multiple,
                                          const std::string& choice);

/// What was chosen, to be sent to the platform.
[[nodiscard]] std::string lti_return_page(const std::string& return_url, const std::string& jwt,
                                          const std::vector<std::string>& titles);

}  // namespace warpgrade
