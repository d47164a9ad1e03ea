#include "grader/serve/serve.h"

#include <fmt/core.h>

#include <cstdio>
#include <optional>

#include "grader/core/file_lock.h"
#include "grader/core/files.h"
#include "grader/core/interrupt.h"
#include "grader/core/own_command.h"
#include "grader/serve/app.h"
#include "grader/serve/http/server.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kThreads = 4;  // that answer requests

/// One server per database: a second one would begin what the first one runs.
FileLock lock_folder(const fs::path& folder) {
  std::optional<FileLock> lock = FileLock::try_lock(folder / "serve.lock");
  if (!lock) {
    throw UsageError(fmt::format(
        "another `warpgrade serve` uses {}. Use the URL that it printed, or another --data",
        folder.string()));
  }
  return std::move(*lock);
}

}  // namespace

ExitCode serve(const ServeOptions& options, const Installation& installation,
               const std::vector<Lab>& labs) try {
  require_writable_folder(options.folder);
  const FileLock lock = lock_folder(options.folder);
  Store store(options.folder / "serve.db");
  std::optional<App> app;
  HttpServer server(options.port, {},
                    [&](const HttpRequest& request) { return app->handle(request); });
  const Guard guard(server.port(), random_token());
  Jobs jobs(store, {own_command().at(0), options.check_options}, options.jobs,
            random_token().substr(0, 8));
  app.emplace(installation, labs, guard, store, jobs);
  fmt::print(
      "Open this in your browser:\n\n  {}\n\nIt is for you alone: who has it can do what you can. "
      "Your work is in {}.\nCtrl-C ends the server.\n",
      guard.url(), options.folder.string());
  std::fflush(stdout);
  server.run(kThreads, interrupted);
  return ExitCode::passed;
} catch (const StoreError& e) {
  throw EnvironmentError(e.what());
}

}  // namespace warpgrade
