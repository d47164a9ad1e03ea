#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "grader/class/term/term.h"
#include "grader/class/term/term_page.h"
#include "grader/cli/commands.h"
#include "grader/core/files.h"
#include "grader/core/installation.h"
#include "grader/core/parallel.h"
#include "grader/core/text.h"

namespace warpgrade {

void add_term_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "term", "Summarize several graded classes: the labs of a term, or of several years");
  const auto folder = std::make_shared<std::filesystem::path>();
  const auto html = std::make_shared<std::filesystem::path>();
  command->add_option("dir", *folder, "a folder with output folders of `warpgrade grade`")
      ->required();
  command->add_option("--html", *html, "where to write the page (default: <dir>/term.html)");
  command->callback([&action, folder, html] {
    action = [folder, html] {
      const Term term = read_term(*folder, available_processors());
      std::error_code error;
      const std::filesystem::path whole =
          std::filesystem::absolute(*folder, error).lexically_normal();
      const std::string name = (whole.has_filename() ? whole : whole.parent_path()).filename();
      const std::filesystem::path page = html->empty() ? *folder / "term.html" : *html;
      write_file_atomically(page, term_page(term, "Term: " + printable(name), find_installation()));
      fmt::print("{}Page: {}\n", term_text(term), page.string());
      return ExitCode::passed;
    };
  });
}

}  // namespace warpgrade
