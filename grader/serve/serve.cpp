#include "grader/serve/serve.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "grader/core/csv.h"
#include "grader/core/file_lock.h"
#include "grader/core/files.h"
#include "grader/core/interrupt.h"
#include "grader/core/text.h"
#include "grader/serve/app.h"
#include "grader/serve/http/server.h"
#include "grader/serve/identity/load_library.h"
#include "grader/serve/jobs/grade_transport.h"
#include "grader/serve/jobs/worker_rules.h"
#include "grader/serve/lti/registration.h"
#include "grader/serve/lti/sync.h"
#include "grader/serve/programs.h"
#include "grader/serve/store/server_lock.h"
#include "harness/core/plural.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kThreads = 8;  // that answer requests; some wait for the disk
/// Several per student: each page that follows a check has one. Fewer where the system allows
/// fewer.
constexpr std::size_t kClassConnections = 4000;
constexpr std::size_t kOtherFiles = 200;  // of the database, grades, pipes of checks

/// Failed tries to sign in, per address and minute. A link has 256 random bits: this keeps who
/// tries from loading the server, and is far more than a person does by mistake.
constexpr std::size_t kFailedSignIns = 20;

constexpr std::uint64_t kLongestKey = 64 * 1024;  // bytes of a JWK

/// Connections of a class, after the limit of open files was raised as far as it may be.
std::size_t connections_of_class() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kClassConnections / 8;
  const rlim_t wanted = kClassConnections + kOtherFiles;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const auto files = static_cast<std::size_t>(std::min(limit.rlim_cur, wanted));
  return files > 2 * kOtherFiles ? files - kOtherFiles : files / 2;
}

/// One server per folder, in which a class's results and previews are, too.
FileLock lock_folder(const fs::path& folder) {
  std::optional<FileLock> lock = FileLock::try_lock(folder / "serve.lock");
  if (!lock) {
    throw UsageError(fmt::format(
        "another `warpgrade serve` uses {}. Use the URL that it printed, or another --data",
        folder.string()));
  }
  return std::move(*lock);
}

CheckOutcome grade(Store& store, Classroom& classroom, GradeProgram program,
                   const KeptAttempt& attempt, const std::atomic<bool>& stop) {
  if (attempt.kind == AttemptKind::regrade) {
    program.results = classroom.previews.folder(attempt.regrade);
  }
  const Submitted submitted = submitted_with(store, classroom.files.record()->course, attempt);
  return run_grade(program, attempt, submitted.number, submitted.files, stop);
}

/// Makes what a worker has graded the class's.
CheckOutcome take_over(Store& store, Classroom& classroom, GradeProgram program,
                       const KeptAttempt& attempt, const FileSet& files) {
  if (attempt.kind == AttemptKind::regrade) {
    program.results = classroom.previews.folder(attempt.regrade);
  }
  const ScratchFolder scratch;
  write_files(scratch.path(), files);
  return take_over_grade(scratch.path(), program, attempt,
                         submitted_with(store, classroom.files.record()->course, attempt).number);
}

Site site_of(const ClassServeOptions& options, std::uint16_t port) {
  return options.url.empty() ? Site::on_loopback(port) : Site::behind_proxy(options.url);
}

/// A member of the class, as the instructors know them.
struct Person {
  std::string name;
  std::string shown;
  std::string email;
};

std::vector<Person> persons_of(const Course& course) {
  std::vector<Person> persons;
  for (const auto& [name, role] : course.staff) {
    persons.push_back({.name = name, .shown = std::string(slug(role)), .email = {}});
  }
  for (const RosterEntry& entry : course.roster.entries) {
    persons.push_back({.name = entry.student, .shown = entry.shown_name(), .email = entry.email});
  }
  return persons;
}

std::vector<Person> chosen(const Course& course, const std::vector<std::string>& names) {
  const std::vector<Person> all = persons_of(course);
  if (names == std::vector<std::string>{"all"}) return all;
  std::vector<Person> persons;
  for (const std::string& name : names) {
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const Person& person) { return person.name == name; });
    if (it == all.end()) {
      throw UsageError(fmt::format(
          "--invite {}: nobody has this name in the column `student` of the roster or in [staff] "
          "of {}; write one of those names, or all",
          printable(name), course.file.string()));
    }
    persons.push_back(*it);
  }
  return persons;
}

void log_to_terminal(const std::string& line) {
  fmt::print(stderr, "{}\n", line);  // nothing before it, so that programs read it as JSON
}

/// @throws UsageError, EnvironmentError  if it cannot be used; not, if the provider does not answer
std::unique_ptr<ProviderSignIn> provider_sign_in(const ProviderOptions& options, const Site& site,
                                                 const Installation& installation) {
  if (options.issuer.empty()) return nullptr;
  auto sign_in = std::make_unique<ProviderSignIn>(
      options, site, load_sign_in_library(installation.library, "--oidc-issuer"), log_to_terminal);
  try {
    static_cast<void>(sign_in->provider.authorization_url(sign_in->pending.begin(now_utc())));
  } catch (const SignInProblem& problem) {
    log_to_terminal(log_line(sign_in->provider, problem, now_utc()));
  }
  return sign_in;
}

/// @throws UsageError, LabError, EnvironmentError  if it cannot be used
std::unique_ptr<Lti> lti_of(const ClassServeOptions& options, const Site& site,
                            const Installation& installation, const DatabaseAddress& database,
                            ClassFiles& files) {
  if (options.lti.empty()) return nullptr;
  std::vector<LtiRegistration> registrations = load_lti_registrations(options.lti);
  const std::string key =
      options.lti_key.empty() ? std::string() : read_file(options.lti_key, kLongestKey);
  return std::make_unique<Lti>(std::move(registrations), key, site,
                               load_sign_in_library(installation.library, "--lti"), database, files,
                               log_to_terminal);
}

}  // namespace

ExitCode serve(const ServeOptions& options, const Installation& installation,
               const std::vector<Lab>& labs) try {
  require_writable_folder(options.folder);
  const FileLock lock = lock_folder(options.folder);
  const DatabaseAddress database = address_of(options, installation);
  const ServerLock alone(database);
  Store store(database);
  std::optional<App> app;
  HttpServer server(options.port, {},
                    [&](const HttpRequest& request) { return app->handle(request); });
  const Guard guard(server.port(), random_token());
  Leases leases(database);
  WorkerRules rules(installation, {}, {});
  Jobs jobs(store, checks_with(store, check_program(options, /*of_class=*/false)), options.jobs,
            random_token().substr(0, 8),
            // Nothing is handed over: all attempts are checks for their results, as here.
            Sharing{.leases = leases, .rules = [&] { return rules.checksum(); }, .take_over = {}});
  app.emplace(installation, labs, guard, Site::on_loopback(server.port()), store, jobs);
  if (options.playground) app->open_playground();
  fmt::print(
      "Open this in your browser:\n\n  {}\n\nIt is for you alone: who has it can do what you can. "
      "Your work is in {}.\nCtrl-C ends the server.\n",
      guard.url(), database.name());
  std::fflush(stdout);
  server.run(kThreads, interrupted);
  return ExitCode::passed;
} catch (const StoreError& e) {
  throw EnvironmentError(e.what());
}

ExitCode serve_class(const ClassServeOptions& options, const Installation& installation,
                     std::vector<Lab> labs) try {
  static_cast<void>(read_file(options.secret_file));  // that it can be read
  require_writable_folder(options.serve.folder);
  require_writable_folder(options.results);
  const FileLock lock = lock_folder(options.serve.folder);
  const DatabaseAddress database = address_of(options.serve, installation);
  const ServerLock alone(database);
  Store store(database);
  std::vector<std::string> known;
  for (const Lab& lab : labs) known.push_back(lab.id);
  Classroom classroom(options.course, options.results, known, database, options.serve.folder,
                      kFailedSignIns, options.per_minute);
  for (Lab& lab : labs) {
    const Course& course = classroom.files.record()->course;
    if (course.only_language(lab) == Language::python) lab = read_python_form(lab);
  }
  std::optional<App> app;
  HttpServer server(options.serve.port, {.connections = connections_of_class()},
                    [&](const HttpRequest& request) { return app->handle(request); });
  const GradeProgram grades = grade_program(options, classroom.files.results(), installation);
  const AttemptRunner check = checks_with(store, check_program(options.serve, /*of_class=*/true));
  Leases leases(database);
  WorkerRules rules(installation, options.course, options.secret_file);
  Jobs jobs(
      store,
      [&](const KeptAttempt& attempt, const auto& on_step, const std::atomic<bool>& stop) {
        return attempt.kind == AttemptKind::check ? check(attempt, on_step, stop)
                                                  : grade(store, classroom, grades, attempt, stop);
      },
      options.serve.jobs, random_token().substr(0, 8),
      Sharing{.leases = leases,
              .rules = [&] { return rules.checksum(); },
              .take_over =
                  [&](const KeptAttempt& attempt, const FileSet& files) {
                    return take_over(store, classroom, grades, attempt, files);
                  }});
  const Site site = site_of(options, server.port());
  classroom.provider = provider_sign_in(options.provider, site, installation);
  classroom.lti = lti_of(options, site, installation, database, classroom.files);
  app.emplace(installation, std::move(labs), site, store, jobs, classroom);
  if (options.serve.playground) app->open_playground();
  fmt::print(
      "The class is at {}, by port {} of 127.0.0.1.\n`warpgrade serve` with the same options and "
      "--invite all prints a link for each person to sign in. Submissions are in {}, grades in "
      "{}.\nCtrl-C ends the server.\n",
      site.url("/"), server.port(), database.name(), options.results.string());
  if (classroom.provider != nullptr) {
    fmt::print("Accounts of {} sign in, too. The address that is registered there has to be {}\n",
               classroom.provider->provider.name(), site.url(std::string(kCallback)));
  }
  std::optional<LtiThread> lti;
  if (classroom.lti != nullptr) {
    fmt::print(
        "At learning platforms this tool has the login URL {}, the redirect URL {}, the public "
        "keys {} and, to choose labs, the target {}\n",
        site.url(std::string(kLtiLogin)), site.url(std::string(kLtiLaunch)),
        site.url(std::string(kLtiKeys)), site.url(std::string(kLtiDeepLink)));
    lti.emplace(classroom.lti->sync);
  }
  std::fflush(stdout);
  server.run(kThreads, interrupted);
  return ExitCode::passed;
} catch (const StoreError& e) {
  throw EnvironmentError(e.what());
}

ExitCode write_lti_key(const fs::path& file, const Installation& installation) {
  const std::string key = load_sign_in_library(installation.library, "--lti-new-key").new_key();
  if (key.empty()) throw EnvironmentError("no key could be made (cjose, OpenSSL)");
  // Not by write_file_atomically(): others must not read it at any moment, nor a key be replaced.
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (opened < 0) {
    const int error = errno;
    throw UsageError(
        fmt::format("{} cannot be made: {}{}", file.string(), std::strerror(error),
                    error == EEXIST ? "; name a new file, platforms know this key" : ""));
  }
  const bool written = ::write(opened, key.data(), key.size()) == static_cast<ssize_t>(key.size());
  if (::close(opened) != 0 || !written) {
    throw EnvironmentError(fmt::format("{} cannot be written", file.string()));
  }
  fmt::print("{} is the private key of this server; back it up, and keep it from others.\n",
             file.string());
  return ExitCode::passed;
}

ExitCode print_invitations(const ClassServeOptions& options, const Installation& installation,
                           const std::vector<std::string>& names) try {
  if (options.url.empty() && options.serve.port == 0) {
    throw UsageError("--invite needs the server's address; give its --port, or the proxy's --url");
  }
  const Site site = site_of(options, options.serve.port);
  const std::vector<Person> persons = chosen(load_course(options.course, {}), names);
  require_writable_folder(options.serve.folder);
  Sessions sessions(address_of(options.serve, installation));
  std::string table = csv_line({"student", "name", "email", "link"});
  for (const Person& person : persons) {
    table += csv_line({csv_field(person.name), csv_field(person.shown), csv_field(person.email),
                       site.url("/sign-in?token=" + sessions.invite(person.name))});
  }
  fmt::print("{}", table);
  return ExitCode::passed;
} catch (const StoreError& e) {
  throw EnvironmentError(e.what());
}

ExitCode write_submissions(const ClassServeOptions& options, const Installation& installation,
                           const fs::path& folder) try {
  const DatabaseAddress database = address_of(options.serve, installation);
  std::error_code error;
  if (!database.is_postgresql() && !fs::exists(database.file, error)) {
    throw UsageError(fmt::format("there is no {}: no server of this class has run; give its --data",
                                 database.name()));
  }
  const Store store(database);
  std::map<std::string, std::vector<std::string>> students;  // by lab
  std::size_t count = 0;
  for (const KeptAttempt& attempt : store.all_submissions()) {
    std::vector<std::string>& of_lab = students[attempt.lab];
    const bool known = std::find(of_lab.begin(), of_lab.end(), attempt.person) != of_lab.end();
    if (!known) of_lab.push_back(attempt.person);
    ++count;
  }
  for (const auto& [lab, of_lab] : students) {
    write_attempts(folder / lab,
                   submitted_files(store, lab, of_lab, std::numeric_limits<std::int64_t>::max()));
  }
  fmt::print("{} of {} in {}; `warpgrade grade {}/LAB --lab LAB` grades them\n",
             plural(count, "submission"), plural(students.size(), "lab"), folder.string(),
             folder.string());
  return ExitCode::passed;
} catch (const StoreError& e) {
  throw EnvironmentError(e.what());
}

}  // namespace warpgrade
