#include "grader/author/check/lab_record.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "harness/core/lab_error.h"
#include "harness/lab/python_form.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr int kSchema = 2;
constexpr unsigned kShare = 8;  // one in so many recorded programs runs
constexpr std::size_t kHashDigits = 16;

/// What the programs of a record were compiled with.
std::string compiler_of(const Lab& lab, CompilerKind compiler) {
  return is_in_python(lab) ? "numba" : std::string(slug(compiler));
}

}  // namespace

fs::path record_file(const Lab& lab, CompilerKind compiler) {
  return lab.reference / fmt::format("checked.{}.json", compiler_of(lab, compiler));
}

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
  const fs::path file = record_file(lab, compiler);
  if (!fs::exists(file)) return std::nullopt;
  LabRecord record;
  try {
    const auto document = nlohmann::json::parse(read_file(file));
    if (document.at("schema") != kSchema || document.at("compiler") != compiler_of(lab, compiler)) {
      return std::nullopt;
    }
    record.lab = document.at("lab");
    record.compiler = compiler;
    for (const auto& [name, program] : document.at("programs").items()) {
      record.programs.emplace(
          name, RecordedProgram{.source = program.at("source"),
                                .missed = program.at("missed"),
                                .points = program.at("points"),
                                .warp_instructions = program.at("warp_instructions")});
    }
  } catch (const nlohmann::json::exception& error) {
    throw LabError(fmt::format(
        "{} is damaged ({}); `warpgrade lab check {} --compiler {} --record` writes it "
        "again",
        file.lexically_relative(lab.root).string(), error.what(), name_of(lab), slug(compiler)));
  }
  return record.lab == identity ? std::optional(record) : std::nullopt;
}

void store_record(const Lab& lab, const LabRecord& record) {
  auto programs = nlohmann::ordered_json::object();
  for (const auto& [name, program] : record.programs) {
    programs[name] = {{"source", program.source},
                      {"missed", program.missed},
                      {"points", program.points},
                      {"warp_instructions", program.warp_instructions}};
  }
  const nlohmann::ordered_json document = {{"schema", kSchema},
                                           {"lab", record.lab},
                                           {"compiler", compiler_of(lab, record.compiler)},
                                           {"programs", programs}};
  write_file_atomically(record_file(lab, record.compiler), document.dump(1) + "\n");
}

bool is_sampled(const std::string& name, const std::string& seed) {
  Sha256 sha;
  sha.add_field(seed);
  sha.add_field(name);
  return std::stoul(sha.hex().substr(0, 4), nullptr, 16) % kShare == 0;
}

}  // namespace warpgrade
