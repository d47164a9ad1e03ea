#include "grader/run/session/golden_build.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "grader/core/error.h"
#include "grader/core/sha256.h"
#include "grader/core/source_root.h"
#include "grader/core/text.h"
#include "grader/core/user_cache.h"
#include "grader/core/version.h"
#include "grader/process/process.h"
#include "harness/golden/golden_library.h"
#include "harness/golden/variant_library.h"
#include "harness/lab/python_form.h"
#include "harness/variants/generate.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kCompileLimit{120};
constexpr std::array kCompilers = {"g++", "c++", "clang++"};
/// No contraction: the golden function rounds exactly where its source says so. With assertions of
/// the standard library: an index outside of an array ends it, instead of a wrong right answer.
constexpr std::array kFlags = {"-std=c++20",        "-O2",     "-D_GLIBCXX_ASSERTIONS",
                               "-ffp-contract=off", "-shared", "-fPIC"};

/// Of the variants of a golden function, which run for a fraction of a second, and check indices
/// themselves but for those of what replaces an expression.
constexpr std::array kVariantFlags = {
    "-std=c++20", "-O1", "-D_GLIBCXX_ASSERTIONS", "-w", "-ffp-contract=off", "-shared", "-fPIC"};

/// The folders of the bundled labs: in the package, and in the sources.
std::array<fs::path, 2> own_roots(const Installation& installation) {
  return {installation.library.parent_path().parent_path() / "share" / "warpgrade",
          fs::path(kSourceRoot)};
}

/// The golden function and, if the lab has any, its misreadings.
std::vector<fs::path> sources_of(const Lab& lab) {
  std::vector<fs::path> sources = {common_reference(lab) / "golden.cpp"};
  std::error_code error;
  if (const fs::path more = common_reference(lab) / "misreadings.cpp"; fs::exists(more, error)) {
    sources.push_back(more);
  }
  return sources;
}

/// Whether the bundled library matches this lab's current sources. Labs elsewhere may have the same
/// ids as the bundled ones.
bool is_current(const fs::path& built, const std::vector<fs::path>& sources,
                const Installation& installation, const Lab& lab) {
  std::error_code error;
  const auto roots = own_roots(installation);
  return std::any_of(roots.begin(), roots.end(),
                     [&](const fs::path& root) { return fs::equivalent(root, lab.root, error); }) &&
         std::all_of(sources.begin(), sources.end(), [&](const fs::path& source) {
           return fs::last_write_time(built, error) >= fs::last_write_time(source, error);
         });
}

/// The folder with harness/golden/golden.h: beside the labs, or among ours.
fs::path headers_folder(const Installation& installation, const Lab& lab) {
  const auto [installed, sources] = own_roots(installation);
  for (const fs::path& folder : {lab.root, installed, sources}) {
    if (fs::exists(folder / "harness" / "golden" / "golden.h")) return folder;
  }
  throw EnvironmentError(
      fmt::format("harness/golden/golden.h, which {} includes, is not in {}; reinstall warpgrade",
                  (common_reference(lab) / "golden.cpp").string(), installed.string()));
}

fs::path find_compiler(const Lab& lab) {
  for (const char* name : kCompilers) {
    if (fs::path found = find_in_path(name); !found.empty()) return found;
  }
  throw EnvironmentError(fmt::format(
      "no C++ compiler (g++, c++ or clang++) was found in PATH: {}, which computes what {} must "
      "return, has to be compiled; install one (on Debian and Ubuntu: package g++)",
      (common_reference(lab) / "golden.cpp").string(), lab.id));
}

void add_headers(const fs::path& folder, Sha256& sha) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path ending = entry.path().extension();
    if (ending == ".h" || ending == ".hpp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    sha.add_field(file.filename().string());
    sha.add_field(read_file(file));
  }
}

/// A hash of all inputs: the sources, the headers that they may include, compiler and options.
std::string key_of(const std::vector<fs::path>& sources, const fs::path& headers,
                   const fs::path& compiler, const std::string& what,
                   std::span<const char* const> flags) {
  Sha256 sha;
  sha.add_field(what);
  for (const fs::path& source : sources) sha.add_field(read_file(source));
  add_headers(sources.front().parent_path(), sha);
  add_headers(headers / "harness" / "golden", sha);
  add_headers(headers / "harness" / "data", sha);
  sha.add_field(compiler.string());
  sha.add_field(file_stamp(compiler));
  for (const char* flag : flags) sha.add_field(flag);
  return sha.hex();
}

/// "reference/x/golden.cpp:12:3: error: ..." from the compiler's output.
std::string first_error(const std::string& log) {
  for (const std::string_view line : split_lines(log)) {
    if (line.find("error") != std::string_view::npos) return one_line(line);
  }
  return one_line(log.substr(0, 300));
}

/// The source whose error comes first.
const fs::path& wrong_source(const std::vector<fs::path>& sources, const std::string& log) {
  const std::string error = first_error(log);
  const auto named = std::find_if(sources.begin(), sources.end(), [&](const fs::path& source) {
    return error.find(source.filename().string() + ":") != std::string::npos;
  });
  return named == sources.end() ? sources.front() : *named;
}

/// A run of the compiler, to be completed with sources.
ProcessSpec compilation(const fs::path& compiler, std::span<const char* const> flags,
                        const fs::path& headers, const fs::path& library) {
  ProcessSpec spec;
  spec.argv = {compiler.string()};
  spec.argv.insert(spec.argv.end(), flags.begin(), flags.end());
  for (const std::string& word :
       {std::string("-I"), headers.string(), std::string("-o"), library.string()}) {
    spec.argv.push_back(word);
  }
  spec.environment = base_environment();
  spec.limits.wall = kCompileLimit;
  return spec;
}

/// @return the library's bytes
std::string compile(const std::vector<fs::path>& sources, const Lab& lab, const fs::path& headers,
                    const fs::path& compiler) {
  const ScratchFolder scratch;
  const fs::path library = scratch.path() / "golden.so";
  ProcessSpec spec = compilation(compiler, kFlags, headers, library);
  for (const fs::path& source : sources) {
    spec.argv.push_back(source.lexically_relative(lab.root).string());
  }
  spec.folder = lab.root;
  const ProcessResult result = run_process(spec);
  if (!result.ok()) {
    const std::string log = result.err + result.out;
    const std::string why = log.empty() ? describe_end(result, spec.limits) : first_error(log);
    const std::string shown = wrong_source(sources, log).lexically_relative(lab.root).string();
    throw LabError(fmt::format(
        "{} does not compile: {}; fix it; this shows all errors:\n  cd {} && {} "
        "-std=c++20 -fsyntax-only -I {} {}",
        shown, why, lab.root.string(), compiler.filename().string(), headers.string(), shown));
  }
  return read_file(library);
}

/// @returns the library's bytes, or why there is none
std::string compile_variants(const fs::path& golden, const fs::path& headers,
                             const fs::path& compiler) {
  const ScratchFolder scratch;
  const fs::path library = scratch.path() / "variants.so";
  ProcessSpec spec = compilation(compiler, kVariantFlags, headers, library);
  spec.argv.insert(spec.argv.end(), {"-I", golden.parent_path().string(), "variants.cpp"});
  spec.folder = scratch.path();
  const GoldenVariantSource made =
      compile_golden_variants(read_file(golden), [&](const std::string& text) {
        write_file_atomically(scratch.path() / "variants.cpp", text);
        const ProcessResult result = run_process(spec);
        return GoldenCompilation{.done = result.ok(), .log = result.err + result.out};
      });
  return made.problem.empty() ? read_file(library) : made.problem;
}

/// In the cache or, where there is none, in a folder of its own.
GoldenBuild keep(const fs::path& kept, const std::string& key, const std::string& library,
                 const Lab& lab) {
  if (write_cached(kept, library)) {
    return {.file = kept, .identity = key, .scratch = nullptr};
  }
  GoldenBuild result{.file = {}, .identity = key, .scratch = nullptr};
  result.scratch = std::make_unique<ScratchFolder>();
  result.file = result.scratch->path() / (lab.id + ".so");
  write_file_atomically(result.file, library);
  return result;
}

}  // namespace

GoldenBuild golden_build(const Installation& installation, const Lab& lab) {
  const fs::path source = common_reference(lab) / "golden.cpp";
  const fs::path built = golden_file(installation.library, lab);
  std::error_code error;
  const bool has_source = fs::exists(source, error);
  // With its folder of references and no source the lab is another one of the same name.
  const bool is_of_lab = has_source ? is_current(built, sources_of(lab), installation, lab)
                                    : !fs::exists(common_reference(lab), error);
  if (fs::exists(built, error) && is_of_lab) {
    return {.file = built, .identity = file_stamp(built), .scratch = nullptr};
  }
  // What the datasets do not give is missing when a case's data are made, by name.
  if (!has_source && lab.program) return {.file = {}, .identity = "none", .scratch = nullptr};
  if (!has_source) {
    throw EnvironmentError(fmt::format(
        "{} is missing: it computes what {} must return; copy reference/{} from the lab's source",
        source.string(), lab.id, lab.id));
  }
  const fs::path compiler = find_compiler(lab);
  const fs::path headers = headers_folder(installation, lab);
  const std::vector<fs::path> sources = sources_of(lab);
  const std::string key = key_of(sources, headers, compiler, "golden 1", kFlags);
  const fs::path kept = cache_file("golden", key + ".so");
  if (!kept.empty() && fs::exists(kept, error)) {
    return {.file = kept, .identity = key, .scratch = nullptr};
  }
  return keep(kept, key, compile(sources, lab, headers, compiler), lab);
}

GoldenBuild golden_variants_build(const Installation& installation, const Lab& lab) {
  const fs::path source = common_reference(lab) / "golden.cpp";
  const fs::path built = golden_variants_file(installation.library, lab);
  std::error_code error;
  const bool has_source = fs::exists(source, error);
  if (fs::exists(built, error) && (!has_source || is_current(built, {source}, installation, lab))) {
    return {.file = built, .identity = file_stamp(built), .scratch = nullptr};
  }
  if (!has_source) return {.file = {}, .identity = "none", .scratch = nullptr};
  const fs::path compiler = find_compiler(lab);
  const fs::path headers = headers_folder(installation, lab);
  const std::string key =
      key_of({source}, headers, compiler, fmt::format("variants {}", kVersion), kVariantFlags);
  const fs::path kept = cache_file("variants", key + ".so");
  if (!kept.empty() && fs::exists(kept, error)) {
    return {.file = kept, .identity = key, .scratch = nullptr};
  }
  return keep(kept, key, compile_variants(source, headers, compiler), lab);
}

}  // namespace warpgrade
