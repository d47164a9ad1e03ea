#include "grader/labcheck/lab_record.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 1;
constexpr unsigned kShare = 4;  // one in so many recorded programs runs
constexpr std::size_t kHashDigits = 16;

fs::path file_of(const Lab& lab) {
  return lab.reference / "checked.json";
}

}  // namespace

bool LabRecord::has(const std::string& name, const std::string& source) const {
  const auto it = programs.find(name);
  return it != programs.end() && it->second.source == source;
}

std::string source_hash(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  return sha.hex().substr(0, kHashDigits);
}

std::optional<LabRecord> load_record(const Lab& lab, const std::string& identity,
                                     CompilerKind compiler) {
  if (!fs::exists(file_of(lab))) return std::nullopt;
  LabRecord record;
  try {
    const auto document = nlohmann::json::parse(read_file(file_of(lab)));
    if (document.at("schema") != kSchema || document.at("compiler") != slug(compiler)) {
      return std::nullopt;
    }
    record.lab = document.at("lab");
    record.compiler = compiler;
    for (const auto& [name, program] : document.at("programs").items()) {
      record.programs.emplace(
          name, RecordedProgram{.source = program.at("source"), .missed = program.at("missed")});
    }
  } catch (const nlohmann::json::exception& error) {
    throw LabError(
        fmt::format("{} is damaged ({}); `warpgrade lab check {} --record` writes it again",
                    file_of(lab).lexically_relative(lab.root).string(), error.what(), lab.id));
  }
  return record.lab == identity ? std::optional(record) : std::nullopt;
}

void store_record(const Lab& lab, const LabRecord& record) {
  auto programs = nlohmann::ordered_json::object();
  for (const auto& [name, program] : record.programs) {
    programs[name] = {{"source", program.source}, {"missed", program.missed}};
  }
  const nlohmann::ordered_json document = {{"schema", kSchema},
                                           {"lab", record.lab},
                                           {"compiler", slug(record.compiler)},
                                           {"programs", programs}};
  write_file_atomically(file_of(lab), document.dump(1) + "\n");
}

bool is_sampled(const std::string& name, const std::string& seed) {
  Sha256 sha;
  sha.add_field(seed);
  sha.add_field(name);
  return std::stoul(sha.hex().substr(0, 4), nullptr, 16) % kShare == 0;
}

}  // namespace warpgrade
