#pragma once

#include "grader/serve/routes/call.h"

// One function per route; routes.cpp says which. Each may throw StoreError.

namespace warpgrade {

// lab_handlers.cpp
HttpReply show_labs(Server& server, const Call& call);
HttpReply show_asset(Server& server, const Call& call);
HttpReply show_lab(Server& server, const Call& call);
HttpReply show_handout(Server& server, const Call& call);
HttpReply list_files(Server& server, const Call& call);
HttpReply list_attempts(Server& server, const Call& call);
HttpReply save_draft(Server& server, const Call& call);
HttpReply begin_check(Server& server, const Call& call);
HttpReply begin_submission(Server& server, const Call& call);

// attempt_handlers.cpp
HttpReply show_attempt(Server& server, const Call& call);
HttpReply show_attempt_files(Server& server, const Call& call);
HttpReply show_receipt(Server& server, const Call& call);
HttpReply show_report(Server& server, const Call& call);
HttpReply follow_attempt(Server& server, const Call& call);
HttpReply cancel_attempt(Server& server, const Call& call);
HttpReply compare_attempts(Server& server, const Call& call);

// sign_in_handlers.cpp
HttpReply ask_to_sign_in(Server& server, const Call& call);
HttpReply sign_in(Server& server, const Call& call);
HttpReply sign_out(Server& server, const Call& call);
HttpReply sign_out_everywhere(Server& server, const Call& call);

// provider_handlers.cpp
HttpReply go_to_provider(Server& server, const Call& call);
HttpReply return_from_provider(Server& server, const Call& call);

// lti_handlers.cpp
HttpReply begin_lti_launch(Server& server, const Call& call);
HttpReply end_lti_launch(Server& server, const Call& call);
HttpReply show_lti_keys(Server& server, const Call& call);
HttpReply answer_lti_choice(Server& server, const Call& call);

// lti_staff_handlers.cpp
HttpReply show_lti(Server& server, const Call& call);
HttpReply choose_lti_lab(Server& server, const Call& call);
HttpReply read_lti_members(Server& server, const Call& call);
HttpReply send_lti_scores(Server& server, const Call& call);
HttpReply forget_lti_account(Server& server, const Call& call);

// student_handlers.cpp
HttpReply show_grades(Server& server, const Call& call);
HttpReply show_grade(Server& server, const Call& call);
HttpReply ask_about_grade(Server& server, const Call& call);

// staff_handlers.cpp
HttpReply show_class(Server& server, const Call& call);
HttpReply show_class_page(Server& server, const Call& call);
HttpReply show_similar(Server& server, const Call& call);
HttpReply show_grade_to_staff(Server& server, const Call& call);
HttpReply show_student(Server& server, const Call& call);
HttpReply decide(Server& server, const Call& call);
HttpReply release_lab(Server& server, const Call& call);
HttpReply invite_student(Server& server, const Call& call);
HttpReply export_grades(Server& server, const Call& call);

// regrade_handlers.cpp
HttpReply show_regrades(Server& server, const Call& call);
HttpReply begin_regrade(Server& server, const Call& call);
HttpReply apply_regrade(Server& server, const Call& call);
HttpReply discard_regrade(Server& server, const Call& call);

}  // namespace warpgrade
