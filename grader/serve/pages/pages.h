#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/serve/store/store.h"
#include "grader/show/report/page.h"
#include "harness/lab/lab.h"

// The pages of the server, as HTML. Everything between tags is escaped.

namespace warpgrade {

/// What a page has for a member of a class.
struct Member {
  std::string name;  // "Jane Doe"
  std::string role;  // "instructor"; empty for students
  std::string course;  // its title; may be empty
  std::string form_token;
  std::map<std::string, std::string> rules;  // by lab: "due 2026-11-13 22:59 UTC"
  std::string problem;  // of the course's files, for staff
};

/// The labs by week, with progress.
/// @param playground  whether there is one
/// @param member      who is signed in; null on a server for one person
[[nodiscard]] std::string labs_page(const std::vector<Lab>& labs,
                                    const std::map<std::string, Store::LabProgress>& progress,
                                    bool playground, const Member* member = nullptr);

/// The page behind a link for signing in.
/// @param invitation  the link's token; empty without one
/// @param provider    where accounts are; empty without one
[[nodiscard]] std::string sign_in_page(const std::string& invitation, const std::string& provider);

/// A lab's page.
/// @param nonce  of the style elements that its editor makes
[[nodiscard]] std::string lab_page(const Lab& lab, const std::string& nonce);

/// The files of two attempts side by side.
[[nodiscard]] std::string compare_page(const Lab& lab, const KeptAttempt& from,
                                       const FileSet& old_files, const KeptAttempt& to,
                                       const FileSet& new_files);

/// Fills an embedded page with values, which are escaped.
[[nodiscard]] std::string render_serve_page(std::string_view page, PageData& values);

/// A page of one sentence.
/// @param next  where the browser goes at once; empty: it stays
[[nodiscard]] std::string message_page(const std::string& title, const std::string& text,
                                       const std::string& next = {});

/// A page of some sentences and one link.
[[nodiscard]] std::string notice_page(const std::string& title, const std::string& text,
                                      const std::string& link, const std::string& link_text);

}  // namespace warpgrade
