#include "grader/build/python/build_python.h"

#include <fmt/core.h>

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "grader/build/compile/build_site.h"
#include "grader/build/python/python_tools.h"
#include "grader/core/embedded.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/remove_tree.h"
#include "grader/core/text.h"
#include "grader/process/usage.h"
#include "harness/lab/arguments.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr const char* kProgram = "start.py";
constexpr const char* kNeeds = "needs.txt";  // paths, one per line

/// As NumPy names the type of an element.
std::string numpy_name(ElementType type) {
  switch (type) {
    case ElementType::i8:
      return "int8";
    case ElementType::u8:
    case ElementType::character:
      return "uint8";
    case ElementType::i16:
      return "int16";
    case ElementType::u16:
      return "uint16";
    case ElementType::i32:
      return "int32";
    case ElementType::u32:
      return "uint32";
    case ElementType::i64:
      return "int64";
    case ElementType::u64:
      return "uint64";
    case ElementType::f16:
      return "float16";
    case ElementType::f32:
      return "float32";
    case ElementType::boolean:
      return "bool";
    case ElementType::bf16:  // refused where the lab is read
    case ElementType::f64:
      break;
  }
  return "float64";
}

/// What start.py calls, and with what.
std::string call_json(const Lab& lab, const std::string& source, const PythonTools& tools) {
  const std::vector<CallArgument> arguments = arguments_of(lab);
  const std::vector<ExtentArgument> extents = extent_arguments(lab);
  nlohmann::ordered_json described = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = arguments[i].first();
    std::vector<std::size_t> of_this;
    for (std::size_t e = 0; e < extents.size(); ++e) {
      if (extents[e].array == parameter.name) of_this.push_back(arguments.size() + e);
    }
    described.push_back({{"name", parameter.name},
                         {"slot", i},
                         {"type", numpy_name(parameter.type)},
                         {"is_array", parameter.is_array()},
                         {"on_device", parameter.memory == Memory::device},
                         {"extents", of_this}});
  }
  const nlohmann::ordered_json document = {{"source", source},
                                           {"function", lab.function},
                                           {"parameters", python_parameters(lab)},
                                           {"arguments", described},
                                           {"slots", arguments.size() + extents.size()},
                                           {"nvvm", tools.nvvm.string()},
                                           {"libdevice", tools.libdevice.string()},
                                           {"cudalib_dir", tools.libraries.string()}};
  return document.dump(1) + "\n";
}

fs::path part_of_ours(const Installation& installation, const char* name) {
  fs::path file = installation.library / name;
  if (!fs::exists(file)) {
    throw EnvironmentError(
        fmt::format("{} is missing; build the whole project first", file.string()));
  }
  return file;
}

/// Everything but what depends on the submission's contents.
void lay_out(const PythonTools& tools, const Installation& installation, const Lab& lab,
             const std::string& source, const fs::path& folder) {
  write_file_atomically(folder / "call.json", call_json(lab, source, tools));
  fs::copy_file(part_of_ours(installation, "libwarpgrade_python.so"), folder / "libworker.so",
                fs::copy_options::overwrite_existing);
  // Isolated from the user's environment and packages, and without writing compiled modules.
  const fs::path program = folder / kProgram;
  write_file_atomically(program,
                        fmt::format("#!{} -IB\n{}", tools.interpreter.string(),
                                    read_file(part_of_ours(installation, "warpgrade_start.py"))));
  fs::permissions(program, fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read |
                               fs::perms::group_exec | fs::perms::others_exec);
  write_file_atomically(folder / kNeeds,
                        fmt::format("{}\n{}\n", fs::canonical(tools.nvvm).parent_path().string(),
                                    fs::canonical(tools.libdevice).string()));
}

/// Reads what check_source.py prints, which a submission cannot make it print.
void take_findings(const ProcessResult& checked, const ProcessSpec& spec, const std::string& source,
                   BuildResult& result) {
  if (!checked.ok()) {
    // It parses and runs nothing: what ends it is the size or the depth of the source.
    result.end = checked.end == ProcessEnd::exited || checked.end == ProcessEnd::signalled
                     ? BuildEnd::does_not_compile
                     : BuildEnd::too_long;
    result.message = fmt::format("{} cannot be read as Python: the parser {}", printable(source),
                                 describe_end(checked, spec.limits));
    result.log = printable(checked.err);
    return;
  }
  const auto found = nlohmann::json::parse(checked.out);
  const std::string end = found.at("end");
  result.end = end == "built"              ? BuildEnd::built
               : end == "missing_function" ? BuildEnd::missing_function
                                           : BuildEnd::does_not_compile;
  result.message = printable(found.at("message").get<std::string>());
  if (!result.message.empty()) result.log = result.message + "\n";
  for (const auto& [line, module] :
       found.at("imports").get<std::vector<std::pair<int, std::string>>>()) {
    result.flags.push_back(
        {.kind = "unusual-import",
         .message = fmt::format("It imports {}, which kernels and their launches do not need.",
                                printable(module)),
         .evidence = fmt::format("{}:{}", printable(source), line)});
  }
}

}  // namespace

BuildResult build_python(const Toolchain& toolchain, const Installation& installation,
                         const Lab& lab, const std::vector<SourceFile>& files,
                         const fs::path& scratch) {
  const auto started = std::chrono::steady_clock::now();
  const PythonTools& tools = find_python_tools(toolchain);
  const fs::path folder = scratch / "python";
  BuildResult result;
  result.source_folder = folder / "src";
  for (const SourceFile& file : files) {
    write_file_atomically(result.source_folder / file.name, file.text);
  }
  const std::string& source = files.front().name;
  lay_out(tools, installation, lab, source, folder);
  const fs::path checker = scratch / "check_source.py";
  write_file_atomically(checker, embedded_file("check_source.py"));
  std::vector<std::string> words = {tools.interpreter.string(), "-IB", checker.string(),
                                    (result.source_folder / source).string(), lab.function};
  for (std::string& name : python_parameters(lab)) words.push_back(std::move(name));
  ProcessSpec spec = plain_tool(std::move(words), scratch);
  spec.confinement =
      Confinement{.sandbox = toolchain.sandbox,
                  .view = {.readable = {}, .writable = {scratch}, .gpu = false, .tool = true}};
  const ProcessResult checked = run_step(spec);
  count_processor_time(Work::compiler, checked.cpu_seconds);
  if (checked.end == ProcessEnd::not_started) {
    throw EnvironmentError(fmt::format("{} {}; run `warpgrade doctor`", tools.interpreter.string(),
                                       describe_end(checked, spec.limits)));
  }
  take_findings(checked, spec, source, result);
  result.program = folder / kProgram;
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

bool is_python_program(const fs::path& program) {
  return program.filename() == kProgram;
}

fs::path copy_python_program(const fs::path& program, const fs::path& folder) {
  remove_tree(folder);  // from an earlier try
  fs::copy(program.parent_path(), folder, fs::copy_options::recursive);
  return folder / kProgram;
}

std::vector<fs::path> needs_of_python_program(const fs::path& program) {
  std::vector<fs::path> needs = {program.parent_path()};
  const std::string text = read_file(program.parent_path() / kNeeds);
  for (const std::string_view line : split_lines(text)) {
    if (!line.empty()) needs.emplace_back(line);
  }
  return needs;
}

}  // namespace warpgrade
