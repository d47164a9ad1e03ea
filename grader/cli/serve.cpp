#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/text.h"
#include "grader/run/session/labs_by_week.h"
#include "grader/serve/serve.h"
#include "grader/submit/course/roster.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct Options {
  ClassServeOptions all;
  std::string compiler = "auto", device = "auto", sandbox = "auto";
  std::vector<std::string> invite;
  fs::path oidc_secret_file;
  fs::path database_password_file;
  bool worker = false;
  std::int64_t lease = 30;  // s
  fs::path write_submissions;
  fs::path lti_new_key;
};

/// XDG_DATA_HOME/warpgrade/serve, or ~/.local/share/warpgrade/serve.
fs::path default_folder() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
    return fs::path(data) / "warpgrade" / "serve";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') {
    throw UsageError("there is no home folder to keep your work in; name a folder with --data");
  }
  return fs::path(home) / ".local" / "share" / "warpgrade" / "serve";
}

ExitCode run_for_class(Options options) {
  ClassServeOptions& all = options.all;
  if (all.results.empty()) all.results = all.serve.folder / "results";
  const Installation installation = find_installation();
  if (!options.invite.empty()) return print_invitations(all, installation, options.invite);
  if (!options.write_submissions.empty()) {
    return write_submissions(all, installation, options.write_submissions);
  }
  if (all.secret_file.empty()) {
    throw UsageError(
        "--course needs --secret-file, from which hidden cases are derived; `head -c 32 "
        "/dev/urandom | base64 > secret` makes one, to be kept");
  }
  if (!all.provider.issuer.empty() && all.provider.client.empty()) {
    throw UsageError(
        "--oidc-issuer needs --oidc-client: the id that the provider has given to this server");
  }
  if (!options.oidc_secret_file.empty()) {
    all.provider.secret = trimmed(read_file(options.oidc_secret_file), " \t\r\n");
  }
  if (all.provider.column.empty()) {
    all.provider.column = all.provider.claim == "email" ? "email" : "student";
  }
  return serve_class(all, installation, labs_by_week(installation));
}

/// @param of_class  whether it works for the server of a class
ExitCode run_worker(const Options& options, bool of_class) {
  const ClassServeOptions& all = options.all;
  if (of_class && all.secret_file.empty()) {
    throw UsageError("--worker with --course needs --secret-file, the same as the server has");
  }
  if (all.serve.jobs == 0) throw UsageError("--worker needs --jobs 1 or more");
  return serve_as_worker(all, std::chrono::seconds(options.lease), find_installation());
}

ExitCode run(Options options) {
  if (!options.lti_new_key.empty()) {
    return write_lti_key(options.lti_new_key, find_installation());
  }
  if (!options.database_password_file.empty()) {
    options.all.serve.database_password =
        trimmed(read_file(options.database_password_file), " \t\r\n");
  }
  const bool of_class = !options.all.course.empty();
  // Students do not know what machine their work runs on: never without a sandbox by mistake.
  if (of_class && options.sandbox == "auto") options.sandbox = "bubblewrap";
  options.all.serve.run_options = {"--compiler",   options.compiler, "--device",
                                   options.device, "--sandbox",      options.sandbox};
  options.all.serve.playground_options = {"--compiler", options.compiler, "--sandbox",
                                          options.sandbox};
  if (options.all.serve.folder.empty()) {
    options.all.serve.folder =
        of_class ? fs::absolute(options.all.course).parent_path() / "serve" : default_folder();
  }
  if (options.worker) return run_worker(options, of_class);
  if (of_class) return run_for_class(std::move(options));
  const Installation installation = find_installation();
  return serve(options.all.serve, installation, labs_by_week(installation));
}

void add_provider_options(CLI::App& command, Options& options, CLI::Option* course) {
  ProviderOptions& provider = options.all.provider;
  CLI::Option* issuer = command
                            .add_option("--oidc-issuer", provider.issuer,
                                        "members sign in at this provider of OpenID Connect: "
                                        "https://login.example.org/realms/university")
                            ->needs(course);
  command.add_option("--oidc-client", provider.client, "the id that it has given to this server")
      ->needs(issuer);
  command
      .add_option("--oidc-secret-file", options.oidc_secret_file,
                  "file with the secret that it has given to this server (default: none)")
      ->needs(issuer);
  command
      .add_option("--oidc-claim", provider.claim,
                  "what it says of an account that is compared with the roster: email, "
                  "preferred_username, sub, ...")
      ->capture_default_str()
      ->needs(issuer);
  command
      .add_option("--oidc-column", provider.column,
                  "the column of the roster that is compared (default: email for the claim email, "
                  "else student)")
      ->check(CLI::IsMember(id_columns()))
      ->needs(issuer);
}

void add_lti_options(CLI::App& command, Options& options, CLI::Option* course) {
  CLI::Option* lti = command
                         .add_option("--lti", options.all.lti,
                                     "file of registrations at learning platforms (LTI 1.3), by "
                                     "which members sign in and grades are passed back")
                         ->needs(course);
  command
      .add_option("--lti-key", options.all.lti_key,
                  "file with this server's private key for them (default: none, and no grades are "
                  "passed back)")
      ->needs(lti);
  command.add_option("--lti-new-key", options.lti_new_key,
                     "instead write a new private key for --lti-key to this file");
}

}  // namespace

void add_serve_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("serve", "Open the labs in a browser: handout, editor, checks, reports");
  const auto options = std::make_shared<Options>();
  command->add_option("--port", options->all.serve.port, "on 127.0.0.1; 0: any free one")
      ->capture_default_str();
  command->add_option(
      "--data", options->all.serve.folder,
      "the folder of the database (default: ~/.local/share/warpgrade/serve, or serve beside "
      "course.toml)");
  CLI::Option* database = command->add_option(
      "--database", options->all.serve.database,
      "a database of PostgreSQL: postgresql://labs@db.example.org/warpgrade (default: a file of "
      "SQLite in --data)");
  command
      ->add_option("--database-password-file", options->database_password_file,
                   "file with its password (default: none, or that of ~/.pgpass)")
      ->needs(database);
  command
      ->add_option("--jobs", options->all.serve.jobs,
                   "checks that run at the same time, each on all processors; 0: none here, all on "
                   "workers")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command->add_option("--compiler", options->compiler, "as for `warpgrade check`")
      ->check(CLI::IsMember({"auto", "nvcc", "clang"}))
      ->capture_default_str();
  command->add_option("--device", options->device, "as for `warpgrade check`")
      ->check(CLI::IsMember({"auto", "cuda", "emulator"}))
      ->capture_default_str();
  command->add_option("--sandbox", options->sandbox, "as for `warpgrade check`")
      ->check(CLI::IsMember({"auto", "bubblewrap", "none"}))
      ->capture_default_str();
  command->add_flag("!--no-playground", options->all.serve.playground,
                    "without the page on which any CUDA program can be run, which is not graded");
  CLI::Option* course = command->add_option("--course", options->all.course,
                                            "serve a class: roster, staff, due dates, decisions");
  command
      ->add_option("--secret-file", options->all.secret_file,
                   "file with the course's secret, from which hidden cases are derived")
      ->needs(course);
  command
      ->add_option("--results", options->all.results,
                   "the folder of the class's grades, as `warpgrade grade --out` (default: results "
                   "in --data)")
      ->needs(course);
  command
      ->add_option("--url", options->all.url,
                   "the address at which a proxy serves the class: https://labs.example.org")
      ->needs(course);
  command
      ->add_option("--per-minute", options->all.per_minute,
                   "checks that a student may begin per minute, and as many submissions")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str()
      ->needs(course);
  CLI::Option* worker = command->add_flag(
      "--worker", options->worker,
      "instead check and grade for the server of the same database, on this machine or another");
  command
      ->add_option("--lease", options->lease,
                   "seconds without a sign of life after which another worker begins what this one "
                   "has begun")
      ->check(CLI::Range(2, 3600))
      ->capture_default_str()
      ->needs(worker);
  add_provider_options(*command, *options, course);
  add_lti_options(*command, *options, course);
  CLI::Option* invite =
      command
          ->add_option("--invite", options->invite,
                       "instead print links for signing in, as CSV: names of the roster or the "
                       "staff, or all")
          ->needs(course)
          ->excludes(worker);
  command
      ->add_option("--write-submissions", options->write_submissions,
                   "instead write what was submitted to this folder, for `warpgrade grade`")
      ->needs(course)
      ->excludes(invite)
      ->excludes(worker);
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace warpgrade
