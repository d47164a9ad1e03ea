#include "grader/serve/lti/launch.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

TEST_CASE("the role in a course is the highest of the course's, and an assistant is one",
          "[serve][unit]") {
  const std::string membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
  CHECK(lti_role({membership + "#Learner"}) == LtiRole::learner);
  CHECK(lti_role({membership + "#Learner", membership + "#Instructor"}) == LtiRole::instructor);
  CHECK(lti_role({membership + "#Instructor", membership + "/Instructor#TeachingAssistant"}) ==
        LtiRole::assistant);
  CHECK(lti_role({"Instructor"}) == LtiRole::instructor);
  // Roles of the institution and the system, and of nobody who learns or teaches.
  CHECK(lti_role({"http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"}) ==
        LtiRole::other);
  CHECK(lti_role({"http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"}) ==
        LtiRole::other);
  CHECK(lti_role({membership + "#Mentor", 17}) == LtiRole::other);
  CHECK(lti_role({membership + "/Learner#Instructor"}) == LtiRole::other);
  CHECK(lti_role("Instructor") == LtiRole::other);
  CHECK(lti_role(nullptr) == LtiRole::other);
}

}  // namespace
}  // namespace warpgrade
