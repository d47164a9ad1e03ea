#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/files.h"
#include "grader/serve/app.h"
#include "grader/testing/database.h"

namespace warpgrade::testing {

/// Each byte as %xx, for a form or a query.
[[nodiscard]] std::string percent_encoded(const std::string& text);

/// A server of a class without sockets and compilers: ann is its instructor, bob an assistant, s01,
/// s02 and s03 are students, of whom s01 and s02 are a group for histogram. Nothing is
/// compiled: each check and submission has the grade of wrong_grade(), with its own files. So have
/// regrades, until the lab "changes".
class TestClass {
 public:
  /// The source whose checks and submissions end with an environment error.
  static constexpr const char* kNoCompiler = "// no compiler\n";

  /// @param labs  the tables [labs.x] of course.toml, and further ones
  /// @param per_minute  checks and submissions of a student
  explicit TestClass(const std::string& labs = "", const std::string& url = "",
                     std::size_t per_minute = 1000);

  struct Reply {
    int status = 0;
    std::string body = {};
    std::map<std::string, std::string> headers = {};

    [[nodiscard]] bool has(std::string_view text) const {
      return body.find(text) != std::string::npos;
    }
  };

  /// Signs a person in.
  /// @return the session, for the functions below
  std::string sign_in(const std::string& person);
  /// @param session  empty: nobody's
  Reply get(const std::string& session, const std::string& target);
  /// With the form token of the session, unless `fields` has one.
  Reply post_form(const std::string& session, const std::string& target,
                  std::map<std::string, std::string> fields);
  Reply send_json(const std::string& session, const std::string& method, const std::string& target,
                  const std::string& body);
  Reply request(HttpRequest request);

  /// Submits a vecadd.cu. @returns the attempt's id, or 0 if it is refused
  std::int64_t submit(const std::string& session, const std::string& source = "// mine\n");
  /// Until nothing waits or runs.
  void wait_for(std::int64_t attempt);

  [[nodiscard]] Store& store() { return store_; }
  [[nodiscard]] const DatabaseAddress& database() const { return database_.address(); }
  [[nodiscard]] Classroom& classroom() { return *classroom_; }
  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path(); }
  void write_course(const std::string& labs);
  void open_playground() { app_->open_playground(); }
  /// Regrades give each submission these points for the item "build", and say that the lab differs;
  /// those of s03 end with an error.
  void change_lab(double build_points) { build_points_ = build_points; }
  [[nodiscard]] static std::string session_in(const Reply& reply);
  [[nodiscard]] static std::string form_token(const std::string& session);

 private:
  [[nodiscard]] HttpRequest from(const std::string& session, const std::string& method,
                                 const std::string& target) const;

  ScratchFolder scratch_;
  std::string url_;
  TestDatabase database_;
  Store store_;
  std::optional<Classroom> classroom_;
  std::atomic<double> build_points_ = -1;  // as graded
  std::optional<Jobs> jobs_;
  std::optional<App> app_;
};

}  // namespace warpgrade::testing
