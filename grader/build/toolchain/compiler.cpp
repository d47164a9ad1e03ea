#include "grader/build/toolchain/compiler.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/build/toolchain/clang_messages.h"
#include "grader/core/error.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "grader/core/user_cache.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

// Versions of clang that the headers are known to work with.
constexpr int kOldestClang = 14;
constexpr int kNewestClang = 19;

constexpr const char* kNoNvcc =
    "nvcc was not found in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda; install the CUDA Toolkit "
    "(12 or 13, no GPU needed)";
constexpr const char* kInstallClang =
    "install clang 14 or newer (Debian and Ubuntu: apt install clang)";

ProcessResult ask(const fs::path& program, std::vector<std::string> words) {
  ProcessSpec spec;
  spec.argv = std::move(words);
  spec.argv.insert(spec.argv.begin(), program.string());
  spec.environment = base_environment();
  spec.limits.wall = std::chrono::seconds(30);
  return run_process(spec);
}

/// "13.0" from "Cuda compilation tools, release 13.0, V13.0.88".
std::string nvcc_version(const fs::path& nvcc) {
  const ProcessResult result = ask(nvcc, {"--version"});
  static constexpr std::string_view kMark = "release ";
  const std::size_t at = result.out.find(kMark);
  if (!result.ok() || at == std::string::npos) {
    throw EnvironmentError(
        fmt::format("{} --version {}; reinstall the CUDA Toolkit", nvcc.string(),
                    result.ok() ? "does not name a release" : describe_end(result, {})));
  }
  const std::size_t start = at + kMark.size();
  return result.out.substr(start, result.out.find(',', start) - start);
}

/// The toolkit's own folder, as nvcc says it. The nvcc in PATH may be a link, a script or a ccache
/// wrapper anywhere on the machine, so its place says nothing; a dry run names the toolkit.
fs::path toolkit_folder(const fs::path& nvcc) {
  const ProcessResult result = ask(nvcc, {"--dryrun", "-x", "cu", "/dev/null"});
  static constexpr std::string_view kMark = "#$ TOP=";
  const std::string text = result.out + result.err;
  const std::size_t at = text.find(kMark);
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t start = at + kMark.size();
  std::error_code error;
  const fs::path top = fs::canonical(text.substr(start, text.find('\n', start) - start), error);
  return error ? fs::path() : top;
}

/// What nvcc says of itself.
struct NvccFacts {
  std::string version;
  fs::path folder;
};

/// The toolkit's own nvcc, whose stamp changes with the toolkit. It may not be the one in PATH.
std::string toolkit_stamp(const fs::path& folder) {
  return folder.empty() ? "" : file_stamp(folder / "bin" / "nvcc");
}

/// Asks nvcc, which takes 0.1 s, or remembers its answer for as long as the program, its toolkit
/// and the environment are the same.
NvccFacts nvcc_facts(const fs::path& nvcc) {
  Sha256 key;
  for (const auto& [name, value] : base_environment()) {
    key.add_field(name + "=" + value);
  }
  key.add_field(nvcc.string());
  key.add_field(file_stamp(nvcc));
  const fs::path file = cache_file("nvcc", key.hex() + ".json");
  if (const std::optional<std::string> text = read_cached(file)) {
    const auto kept = nlohmann::json::parse(*text, nullptr, false);
    NvccFacts facts{.version = kept.is_object() ? kept.value("version", "") : "",
                    .folder = kept.is_object() ? kept.value("folder", "") : ""};
    if (!facts.version.empty() && kept.value("stamp", "") == toolkit_stamp(facts.folder)) {
      return facts;
    }
  }
  NvccFacts facts{.version = nvcc_version(nvcc), .folder = toolkit_folder(nvcc)};
  write_cached(file, nlohmann::json{{"version", facts.version},
                                    {"folder", facts.folder.string()},
                                    {"stamp", toolkit_stamp(facts.folder)}}
                         .dump());
  return facts;
}

Compiler found_nvcc(const fs::path& nvcc, const Installation& installation) {
  NvccFacts facts = nvcc_facts(nvcc);
  return {.kind = CompilerKind::nvcc,
          .program = nvcc,
          .version = std::move(facts.version),
          .folder = std::move(facts.folder),
          .cuda_headers = installation.cuda_headers};
}

/// The folder of clang's libraries and own headers, where it is not the system's.
fs::path clang_folder(const fs::path& clang) {
  std::error_code error;
  const fs::path real = fs::canonical(clang, error);
  if (error || real.string().starts_with("/usr/")) return {};
  const std::string said = ask(clang, {"-print-resource-dir"}).out;
  const fs::path own = fs::canonical(std::string(trimmed(said)), error);  // <lib>/clang/16
  return error ? fs::path() : own.parent_path().parent_path();
}

/// A clang++ of some version, or what is wrong with it.
struct Candidate {
  fs::path program;
  std::string version;
  std::string problem;
};

Candidate look_at_clang(const fs::path& program, const Installation& installation) {
  const ProcessResult result = ask(program, {"--version"});
  const std::string_view line =
      split_lines(result.out).empty() ? std::string_view() : split_lines(result.out).front();
  static constexpr std::string_view kMark = "clang version ";
  const std::size_t at = line.find(kMark);
  const auto problem = [&](std::string_view output) {
    return clang_meaning(installation.cuda_headers, {"compiler"}, output,
                         {{"clang", program.string()}, {"version", printable(line)}})
        .text;
  };
  if (!result.ok() || at == line.npos) {
    return {.program = program, .version = {}, .problem = problem("language cuda not recognized")};
  }
  std::string_view version = line.substr(at + kMark.size());
  version = version.substr(0, version.find_first_not_of("0123456789."));
  int major = 0;
  std::from_chars(version.data(), version.data() + version.size(), major);
  return {.program = program,
          .version = std::string(version),
          .problem = major < kOldestClang ? problem("this clang is too old") : std::string()};
}

/// A clang++ that can be used; else why the first is not; else nothing.
std::optional<Candidate> search_clang(const Installation& installation) {
  std::vector<std::string> names = {"clang++"};
  for (int version = kNewestClang; version >= kOldestClang; --version) {
    names.push_back(fmt::format("clang++-{}", version));
  }
  if (const char* own = std::getenv("WARPGRADE_CLANG"); own != nullptr && *own != '\0') {
    names = {own};
  }
  std::optional<Candidate> first;
  for (const std::string& name : names) {
    const fs::path program = name.find('/') == name.npos         ? find_in_path(name)
                             : ::access(name.c_str(), X_OK) == 0 ? fs::path(name)
                                                                 : fs::path();
    if (program.empty()) continue;
    Candidate candidate = look_at_clang(program, installation);
    if (candidate.problem.empty()) return candidate;
    if (!first) first = std::move(candidate);
  }
  return first;
}

void require_headers(const Installation& installation) {
  if (installation.cuda_headers.empty()) {
    throw EnvironmentError(
        "the CUDA headers for clang are missing (emulator/include of the sources, or "
        "share/warpgrade/cuda of an installation); reinstall warpgrade, or set "
        "WARPGRADE_CUDA_INCLUDE to their folder");
  }
}

Compiler find_clang(const Installation& installation, bool no_nvcc) {
  require_headers(installation);
  const std::optional<Candidate> clang = search_clang(installation);
  if (!clang && no_nvcc) {
    throw EnvironmentError(
        fmt::format("neither nvcc nor clang++ was found: {}, or the CUDA Toolkit (12 or 13, no GPU "
                    "needed), then run `warpgrade doctor`",
                    kInstallClang));
  }
  if (!clang) {
    const char* own = std::getenv("WARPGRADE_CLANG");
    throw EnvironmentError(fmt::format("{} was not found; {}",
                                       own != nullptr && *own != '\0' ? printable(own) : "clang++",
                                       kInstallClang));
  }
  if (!clang->problem.empty()) {
    throw EnvironmentError(no_nvcc ? fmt::format("nvcc was not found, and {}", clang->problem)
                                   : clang->problem);
  }
  return {.kind = CompilerKind::clang,
          .program = clang->program,
          .version = clang->version,
          .folder = clang_folder(clang->program),
          .cuda_headers = installation.cuda_headers};
}

/// What `automatic` means on this machine.
CompilerRequest preferred() {
  const char* const name = std::getenv("WARPGRADE_COMPILER");
  if (name == nullptr || *name == '\0') return CompilerRequest::automatic;
  if (const auto request = from_slug<CompilerRequest>(name)) return *request;
  throw UsageError(
      fmt::format("WARPGRADE_COMPILER is '{}'; it can be auto, nvcc or clang", printable(name)));
}

}  // namespace

std::string Compiler::name() const {
  return fmt::format("{} {}", slug(kind), version);
}

fs::path Compiler::program_in_sandbox() const {
  const fs::path own = folder / "bin" / "nvcc";
  const bool has_own =
      kind == CompilerKind::nvcc && !folder.empty() && ::access(own.c_str(), X_OK) == 0;
  return has_own ? own : program;
}

Compiler find_compiler(CompilerRequest request, const Installation& installation) {
  if (request == CompilerRequest::automatic) request = preferred();
  if (request == CompilerRequest::clang) return find_clang(installation, false);
  if (const fs::path nvcc = find_nvcc(); !nvcc.empty()) return found_nvcc(nvcc, installation);
  if (request == CompilerRequest::automatic) return find_clang(installation, true);
  throw EnvironmentError(
      fmt::format("{}, or use --compiler clang; see `warpgrade doctor`", kNoNvcc));
}

fs::path find_nvcc() {
  if (fs::path found = find_in_path("nvcc"); !found.empty()) {
    return found;
  }
  std::vector<fs::path> homes;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(name)) {
      homes.emplace_back(value);
    }
  }
  homes.emplace_back("/usr/local/cuda");
  for (const fs::path& home : homes) {
    fs::path candidate = home / "bin" / "nvcc";
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return {};
}

fs::path find_cudart(const Compiler& nvcc) {
  std::error_code error;
  for (const fs::path& home : {nvcc.folder, nvcc.program.parent_path().parent_path()}) {
    for (const char* folder :
         {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
      if (!home.empty() && fs::exists(home / folder / "libcudart.so", error)) {
        return home / folder;
      }
    }
  }
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) {
    if (fs::exists(fs::path(folder) / "libcudart.so", error)) {
      return folder;
    }
  }
  return {};
}

}  // namespace warpgrade
