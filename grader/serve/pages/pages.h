#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/serve/store/store.h"
#include "harness/lab/lab.h"

// The pages of the server, as HTML. Everything between tags is escaped.

namespace warpgrade {

/// The labs by week, with progress.
[[nodiscard]] std::string labs_page(const std::vector<Lab>& labs,
                                    const std::map<std::string, Store::LabProgress>& progress);

/// A lab's page.
/// @param nonce  of the style elements that its editor makes
[[nodiscard]] std::string lab_page(const Lab& lab, const std::string& nonce);

/// The files of two attempts side by side.
[[nodiscard]] std::string compare_page(const Lab& lab, const KeptAttempt& from,
                                       const FileSet& old_files, const KeptAttempt& to,
                                       const FileSet& new_files);

/// A page of one sentence.
/// @param next  where the browser goes at once; empty: it stays
[[nodiscard]] std::string message_page(const std::string& title, const std::string& text,
                                       const std::string& next = {});

}  // namespace warpgrade
