#include "grader/build/compile/shared_parts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/build/compile/build_site.h"
#include "grader/build/compile/clang_target.h"
#include "grader/build/compile/compile_step.h"
#include "grader/build/toolchain/clang_command.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "grader/core/user_cache.h"
#include "harness/lab/glue.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Whether the entry is there, and now at `file` too, where it stays when the cache is cleared.
bool copy_cached(const fs::path& entry, const fs::path& file) {
  std::error_code error;
  return !entry.empty() && fs::copy_file(entry, file, error);
}

fs::path make_glue_object(const Toolchain& toolchain, const Lab& lab, const fs::path& folder) {
  const std::vector<std::string> argv = {
      toolchain.cxx.string(), "-c", "-O1", "-fPIC", "glue.cpp", "-o", "glue.o"};
  const std::string source = make_glue(lab);
  Sha256 key;
  for (const std::string& word : argv) key.add_field(word);
  key.add_field(file_stamp(toolchain.cxx));
  key.add_field(source);
  const fs::path entry = cache_file("glue", key.hex() + ".o");
  fs::path object = folder / "glue.o";
  if (copy_cached(entry, object)) return object;
  write_file_atomically(folder / "glue.cpp", source);
  run_own_step(plain_tool(argv, folder));
  write_cached(entry, read_file(object));
  return object;
}

/// The files that a rule of make names as inputs: "out: a.h \ b.h".
std::vector<fs::path> inputs_of(const std::string& rule) {
  std::vector<fs::path> files;
  std::string name;
  for (std::size_t i = rule.find(": "); i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && next != '\n') {
      name += next;
      ++i;
    } else if (rule[i] != ' ' && rule[i] != '\n' && rule[i] != '\\' && rule[i] != ':') {
      name += rule[i];
    } else if (!name.empty()) {
      files.emplace_back(std::exchange(name, {}));
    }
  }
  return files;
}

/// The inputs and their stamps, a line each.
std::string stamped(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) text += file_stamp(file) + " " + file.string() + "\n";
  return text;
}

bool is_current(const std::string& stamps) {
  const std::vector<std::string_view> lines = split_lines(stamps);
  return !lines.empty() && std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
    const std::size_t space = line.find(' ');
    return space != line.npos && file_stamp(line.substr(space + 1)) == line.substr(0, space);
  });
}

/// One of the two passes' headers, parsed; an empty path where they cannot be cached, since parsing
/// them for one compilation gains nothing.
/// @param command  of the pass
/// @param name     of the file in `folder`
fs::path parse_headers(std::vector<std::string> command, const Compiler& clang,
                       const fs::path& folder, const std::string& name) {
  const std::vector<std::string> words = common_definitions();
  command.insert(command.end(), words.begin(), words.end());
  Sha256 key;
  for (const std::string& word : command) {
    key.add_field(word);
    if (word.starts_with('@')) key.add_field(read_file(word.substr(1)));  // a file of options
  }
  key.add_field(clang.version);
  key.add_field(file_stamp(clang.program));
  const std::string hash = key.hex();
  const fs::path entry = cache_file("headers", hash + ".pch");
  const fs::path stamps = cache_file("headers", hash + ".txt");
  fs::path parsed = folder / name;
  if (is_current(read_cached(stamps).value_or("")) && copy_cached(entry, parsed)) return parsed;
  if (entry.empty()) return {};
  const fs::path rule = folder / "inputs.d";
  command.insert(command.end(), {"-MD", "-MF", rule.string(), "-o", parsed.string()});
  // What is wrong with this clang is said by the compilations, which say it better.
  if (!run_step(plain_tool(std::move(command), folder)).ok()) return {};
  const std::vector<fs::path> inputs = inputs_of(read_file(rule));
  return write_cached(entry, read_file(parsed)) && write_cached(stamps, stamped(inputs))
             ? parsed
             : fs::path();
}

}  // namespace

SharedParts make_shared_parts(const Toolchain& toolchain, const Lab& lab, const fs::path& folder) {
  SharedParts parts;
  if (!lab.program) parts.glue = make_glue_object(toolchain, lab, folder);
  const Compiler& compiler = toolchain.compiler;
  if (compiler.kind == CompilerKind::clang) {
    parts.headers = {.device = parse_headers(clang_device_headers(compiler, clang_target(lab)),
                                             compiler, folder, "device.pch"),
                     .host = parse_headers(clang_host_headers(compiler, clang_target(lab)),
                                           compiler, folder, "host.pch")};
  }
  return parts;
}

}  // namespace warpgrade
