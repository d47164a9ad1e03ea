#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/error.h"
#include "grader/core/installation.h"
#include "grader/serve/identity/provider.h"
#include "harness/lab/lab.h"

namespace warpgrade {

struct ServeOptions {
  std::uint16_t port = 8475;  // 0: any free one
  std::filesystem::path folder;  // of the database, if that is SQLite's
  std::string database;  // URL of PostgreSQL; empty: SQLite
  std::string database_password;  // empty: none, or what libpq finds
  std::size_t jobs = 1;  // checks that run at the same time
  std::vector<std::string> run_options;  // of `warpgrade check` and `warpgrade grade`
  std::vector<std::string> playground_options;  // of `warpgrade run`
  bool playground = true;  // whether there is one
};

/// The labs in a browser, for one person on this machine, until the user interrupts it. Prints the
/// URL to open.
/// @throws UsageError        if the port or the folder is in use
/// @throws EnvironmentError  if the folder cannot be written, or the database not be used
ExitCode serve(const ServeOptions& options, const Installation& installation,
               const std::vector<Lab>& labs);

struct ClassServeOptions {
  ServeOptions serve;
  std::filesystem::path course;
  std::filesystem::path secret_file;
  std::filesystem::path results;  // of `warpgrade grade`
  /// Checks that a student may begin per minute, and as many submissions.
  std::size_t per_minute = 20;
  std::string url;  // of a proxy; empty: browsers reach the port of 127.0.0.1
  ProviderOptions provider;  // without an issuer: no accounts of a provider
  std::filesystem::path lti;  // registrations at learning platforms; empty: none
  std::filesystem::path lti_key;  // a private key as JWK; empty: none
};

/// The labs of a class, until the user interrupts it.
/// @throws UsageError, LabError  if the port or the folder is in use, or a file is invalid
/// @throws EnvironmentError      if a folder cannot be written, or the database not be used
ExitCode serve_class(const ClassServeOptions& options, const Installation& installation,
                     std::vector<Lab> labs);

/// Checks and grades for a server on another machine, which has the same database, until the user
/// interrupts it. Without a course for a server for one person.
/// @param lease  after how long without a sign of life others begin what it has claimed
/// @throws UsageError, LabError  if a file of the course is invalid
/// @throws EnvironmentError      if the database cannot be used
ExitCode serve_as_worker(const ClassServeOptions& options, std::chrono::seconds lease,
                         const Installation& installation);

/// Writes a new private key for --lti-key, which others cannot read.
/// @throws UsageError  if the file is there
ExitCode write_lti_key(const std::filesystem::path& file, const Installation& installation);

/// Prints a link for signing in for each of these persons, as CSV: student, name, email, link. May
/// run beside the server of the class.
/// @param names  of the roster or the staff; "all": everybody
ExitCode print_invitations(const ClassServeOptions& options, const Installation& installation,
                           const std::vector<std::string>& names);

/// Writes what the class has submitted: <folder>/<lab>, for `warpgrade grade`. May run beside the
/// server of the class.
ExitCode write_submissions(const ClassServeOptions& options, const Installation& installation,
                           const std::filesystem::path& folder);

}  // namespace warpgrade
