#include "grader/core/instant.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>

namespace warpgrade {
namespace chrono = std::chrono;
namespace {

constexpr const char* kExample = "write it as 2026-11-20T23:59:00+01:00";

/// Reads digits and separators from the front of a text; after one failure every read fails.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  int digits(std::size_t count) {
    const bool there = text_.size() >= count &&
                       std::all_of(text_.begin(), text_.begin() + static_cast<long>(count),
                                   [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!there) {
      good_ = false;
      return 0;
    }
    int value = 0;
    for (const char c : text_.substr(0, count)) {
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(count);
    return value;
  }
  bool take(std::string_view any_of) {
    if (text_.empty() || any_of.find(text_.front()) == std::string_view::npos) {
      return false;
    }
    text_.remove_prefix(1);
    return true;
  }
  void need(std::string_view any_of) { good_ = take(any_of) && good_; }
  void skip_digits() {
    while (!text_.empty() && std::isdigit(static_cast<unsigned char>(text_.front())) != 0) {
      text_.remove_prefix(1);
    }
  }
  [[nodiscard]] char front() const { return text_.empty() ? '\0' : text_.front(); }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool done() const { return good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool good_ = true;
};

/// Minutes east of Greenwich.
std::optional<chrono::minutes> zone(Scanner& s) {
  if (s.take("Zz")) {
    return chrono::minutes(0);
  }
  const bool west = s.front() == '-';
  if (!s.take("+-")) {
    return std::nullopt;
  }
  const int hours = s.digits(2);
  s.take(":");
  const int minutes = s.digits(2);
  if (!s.good() || hours > 23 || minutes > 59) {
    return std::nullopt;
  }
  return chrono::minutes((west ? -1 : 1) * (hours * 60 + minutes));
}

}  // namespace

std::optional<Instant> parse_instant(std::string_view text, std::string& problem) {
  const auto fail = [&](const std::string& what) {
    problem = fmt::format("'{}' {}; {}", text, what, kExample);
    return std::nullopt;
  };
  Scanner s(text);
  const int year = s.digits(4);
  s.need("-");
  const int month = s.digits(2);
  s.need("-");
  const int day = s.digits(2);
  if (s.done()) {
    return fail("has no time of day and time zone");
  }
  s.need("Tt ");
  const int hour = s.digits(2);
  s.need(":");
  const int minute = s.digits(2);
  int second = 0;
  if (s.good() && s.take(":")) {
    second = s.digits(2);
    if (s.take(".")) {
      s.skip_digits();
    }
  }
  if (!s.good()) {
    return fail("is not a date and time");
  }
  if (s.done()) {
    return fail("has no time zone");
  }
  s.take(" ");
  const std::optional<chrono::minutes> offset = zone(s);
  if (!offset || !s.done()) {
    return fail("does not end in a time zone");
  }
  const chrono::year_month_day date{chrono::year(year), chrono::month(static_cast<unsigned>(month)),
                                    chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) {
    return fail("is not in the calendar");
  }
  return Instant(chrono::sys_days(date)) + chrono::hours(hour) + chrono::minutes(minute) +
         chrono::seconds(second) - *offset;
}

std::string instant_text(Instant instant) {
  const auto days = chrono::floor<chrono::days>(instant);
  const chrono::year_month_day date(days);
  const chrono::hh_mm_ss time(instant - days);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::optional<Instant> modified_at(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return Instant(chrono::seconds(status.st_mtime));
}

Instant now_utc() {
  return chrono::floor<chrono::seconds>(chrono::system_clock::now());
}

}  // namespace warpgrade
