#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/term/attempt_progress.h"
#include "grader/core/instant.h"

namespace warpgrade {

/// A lab in one run: one results folder of `warpgrade grade`.
struct TermLab {
  std::string run;  // the folder's name: "2026-lab1", "2026/lab1"
  std::string lab;
  std::string title;
  std::optional<Instant> first, last;  // submission, or grading if that is unknown
  std::size_t students = 0;
  std::size_t scored = 0;  // with points that count
  std::size_t full = 0;  // all points
  std::size_t attempts = 0;  // of all students
  double mean = 0;  // percent of the points, of those that are scored
};

/// An item of a lab over all runs.
struct TermItem {
  std::string lab;
  std::string item;
  std::size_t grades = 0;
  std::size_t full = 0;
  std::size_t none = 0;
  double mean = 0;  // percent
};

/// A week in which something was submitted.
struct TermWeek {
  Instant monday;
  std::size_t submissions = 0;
  double mean = 0;  // percent
};

struct Term {
  std::vector<TermLab> labs;  // by run, then lab
  std::vector<TermItem> items;  // by lab, then mean
  std::map<std::string, std::size_t> pitfalls;  // how many grades each explains
  std::map<std::string, AttemptProgress> progress;  // by lab, of attempts that were kept
  std::vector<TermWeek> weeks;
};

/// Reads every results folder in `folder` and in the folders in it, or the folder itself if it is
/// one.
/// @throws UsageError  if there is none, or one is damaged
[[nodiscard]] Term read_term(const std::filesystem::path& folder, std::size_t jobs);

/// Items that nearly everybody gets, and those that nearly nobody gets.
[[nodiscard]] std::vector<const TermItem*> items_without_information(const Term& term, bool full);

/// Tables for a terminal.
[[nodiscard]] std::string term_text(const Term& term);

}  // namespace warpgrade
