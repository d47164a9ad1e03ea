#include "grader/cli/editor_files.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "grader/build/compile/clang_target.h"
#include "grader/build/toolchain/clang_command.h"
#include "grader/core/embedded.h"
#include "grader/core/text.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

std::string filled(std::string_view name, const Lab& lab) {
  const std::string work = lab.has_code() ? lab.stub.filename().string() : kAnswersFile;
  return replace_all(replace_all(embedded_file(name), "@LAB@", lab.id), "@WORK@", work);
}

/// As clang compiles the host's half, whichever compiler is used: clangd is a clang.
std::string compile_commands(const Installation& installation, const Lab& lab,
                             const fs::path& folder) {
  Compiler clang;
  clang.kind = CompilerKind::clang;
  clang.program = "clang++";
  clang.cuda_headers = installation.cuda_headers;
  std::vector<std::string> arguments = clang_host_command(clang, clang_target(lab));
  const std::string file = lab.stub.filename().string();
  arguments.insert(arguments.end(), {"-c", file});
  const nlohmann::ordered_json entry = {
      {"directory", fs::absolute(folder).lexically_normal().string()},
      {"file", file},
      {"arguments", arguments}};
  return nlohmann::ordered_json::array({entry}).dump(2) + "\n";
}

}  // namespace

std::vector<EditorFile> editor_files(const Installation& installation, const Lab& lab,
                                     const fs::path& folder) {
  std::vector<EditorFile> files;
  files.push_back({.name = ".vscode/tasks.json",
                   .content = filled("tasks.json", lab),
                   .purpose = "for VS Code: check, check on save, status"});
  if (!lab.has_code() || is_in_python(lab)) return files;
  files.push_back({.name = ".vscode/launch.json",
                   .content = filled("launch.json", lab),
                   .purpose = "for VS Code: debug a case"});
  if (!installation.cuda_headers.empty()) {
    files.push_back({.name = "compile_commands.json",
                     .content = compile_commands(installation, lab, folder),
                     .purpose = "for clangd, in any editor"});
  }
  return files;
}

}  // namespace warpgrade
