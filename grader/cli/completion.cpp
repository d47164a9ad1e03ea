#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/core/text.h"

// `warpgrade completion bash|zsh`: a script for the shell, made from the commands as they are
// registered, so that no name is written twice.

namespace warpgrade {
namespace {

/// Every way to write an option, and subcommands: what can follow on the command line.
std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(inner->get_name());
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
  }
  return words;
}

/// Lines "path) known=..." of a shell's `case`, for this command and those inside it. `path` is
/// what has been typed of commands, "lab check".
void add_cases(const CLI::App& command, const std::string& path, std::string& cases) {
  cases += fmt::format("    '{}') known='{}' ;;\n", path, fmt::join(words_of(command), " "));
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    add_cases(*inner, path.empty() ? inner->get_name() : path + " " + inner->get_name(), cases);
  }
}

/// The paths of all commands, quoted: to tell a command's name from an argument.
void add_paths(const CLI::App& command, const std::string& path, std::string& paths) {
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string own = path.empty() ? inner->get_name() : path + " " + inner->get_name();
    paths += fmt::format("{}'{}'", paths.empty() ? "" : "|", own);
    add_paths(*inner, own, paths);
  }
}

// Both shells: @PATHS@ and @CASES@ are filled in. What is neither an option nor a command is a
// file.
constexpr const char* kBash =
    R"(# bash completion for warpgrade, made by `warpgrade completion bash`
_warpgrade() {
  local word known path='' current=${COMP_WORDS[COMP_CWORD]}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "${path:+$path }$word" in
      @PATHS@) path=${path:+$path }$word ;;
    esac
  done
  case $path in
@CASES@  esac
  mapfile -t COMPREPLY < <(compgen -W "$known" -- "$current")
  if [[ $current != -* && -n $path ]]; then
    local file
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _warpgrade warpgrade
)";

constexpr const char* kZsh = R"(#compdef warpgrade
# zsh completion for warpgrade, made by `warpgrade completion zsh`
_warpgrade() {
  local word known path_typed=''
  for word in "${(@)words[2,CURRENT-1]}"; do
    case "${path_typed:+$path_typed }$word" in
      @PATHS@) path_typed="${path_typed:+$path_typed }$word" ;;
    esac
  done
  case $path_typed in
@CASES@  esac
  compadd -- ${=known}
  [[ -n $path_typed ]] && _files
}
_warpgrade "$@"
)";

}  // namespace

void add_completion_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a completion script for a shell: bash or zsh");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  command->callback([&app, &action, shell] {
    action = [&app, shell] {
      std::string paths;
      std::string cases;
      add_paths(app, "", paths);
      add_cases(app, "", cases);
      const std::string script = *shell == "bash" ? kBash : kZsh;
      fmt::print("{}", replace_all(replace_all(script, "@PATHS@", paths), "@CASES@", cases));
      return ExitCode::passed;
    };
  });
}

}  // namespace warpgrade
