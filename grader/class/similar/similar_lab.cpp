#include "grader/class/similar/similar_lab.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/submit/submission/source_tree.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// The code between ``` lines of a handout.
std::string code_blocks(const std::string& markdown) {
  std::string code;
  bool inside = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (line.find("```") != std::string_view::npos) {
      inside = !inside;
    } else if (inside) {
      code += std::string(line) + "\n";
    }
  }
  return code;
}

/// The code that every student was given: all sources in the lab's folder, and the handout's code.
KnownPassages handed_out(const Lab& lab) {
  KnownPassages known;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(lab.folder, error)) {
    const fs::path& file = entry.path();
    if (is_source_name(file.filename().string())) {
      add_known(read_file(file), known);
    } else if (file.extension() == ".md") {
      add_known(code_blocks(read_file(file)), known);
    }
  }
  return known;
}

}  // namespace

SimilarLab similar_of_lab(const Lab& lab, std::vector<SubmittedWork> submitted,
                          const std::vector<EarlierProgram>& earlier, const SimilarChoice& choice) {
  SimilarLab result{.lab = lab.id, .works = {}, .pairs = {}};
  if (submitted.empty()) return result;
  const KnownPassages known = handed_out(lab);
  for (SubmittedWork& work : submitted) {
    result.works.push_back(compared_work(std::move(work.student), std::move(work.files), known));
  }
  for (const EarlierProgram& program : earlier) {
    result.works.push_back(compared_work(program.name, {program.file}, known));
    result.works.back().earlier = true;
  }
  leave_out_common(result.works);
  result.pairs = rank_pairs(result.works);
  fold_copies(result.pairs);
  std::erase_if(result.pairs,
                [&](const SimilarPair& pair) { return 100 * pair.similarity() < choice.least; });
  result.pairs.resize(std::min(result.pairs.size(), choice.pairs));
  return result;
}

}  // namespace warpgrade
