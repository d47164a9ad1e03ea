#include "grader/author/import/import_libwb.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/core/toml_text.h"
#include "harness/formats/formats.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr double kCorrectness = 70;  // of the points; 10 for the build, 20 for safety
constexpr double kCents = 100;
constexpr double kRelative = 1e-4;  // of results in single precision, summed in any order

using Extents = std::vector<std::uint64_t>;

/// One file of all datasets.
struct Column {
  std::string name;  // of the parameter: "input0"
  std::string at;  // "input0.raw"
  FileFormat format = FileFormat::raw;
  std::string type;  // "f32"
  std::vector<Extents> extents;  // in each dataset
  std::vector<const LibwbFile*> files;
  int decimals = 0;  // of its numbers, at most
  bool has_point = false;  // not all are written as integers
};

/// A name for a parameter: "input0" of "input0.raw".
std::string parameter_name(const std::string& file) {
  std::string name = file.substr(0, file.find('.'));
  for (char& c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!good) c = '_';
  }
  return name.empty() ? "file" : name;
}

bool is_bytes(FileFormat format) {
  return format == FileFormat::binary || format == FileFormat::text;
}

/// How the numbers of a text are written.
void look_at_numbers(std::string_view text, Column& column) {
  int decimals = -1;  // in this number, after a point
  for (const char c : text) {
    if (c == '.') {
      decimals = 0;
      column.has_point = true;
    } else if (c >= '0' && c <= '9') {
      if (decimals >= 0) column.decimals = std::max(column.decimals, ++decimals);
    } else {
      column.has_point = column.has_point || c == 'e' || c == 'n' || c == 'i';
      decimals = -1;
    }
  }
}

/// The same file of every dataset.
Column column_of(const LibwbFolder& from, std::size_t index, bool is_output) {
  Column column;
  for (const LibwbDataset& data : from.datasets) {
    const LibwbFile& file = is_output ? data.output : data.inputs[index];
    if (column.files.empty()) {
      column.at = file.name;
      column.name = parameter_name(file.name);
      const std::optional<FileFormat> format = format_of_name(file.name);
      column.format = format.value_or(FileFormat::binary);
      // libwb reads a .txt file as text, not as numbers.
      if (file.name.ends_with(".txt")) column.format = FileFormat::text;
    }
    const std::optional<Extents> extents = extents_in(column.format, file.text);
    if (!extents) {
      throw UsageError(fmt::format(
          "{}/{} is not a whole file of its format ({}); correct it or leave the dataset out. "
          "Nothing was imported",
          data.name, printable(file.name), slug(column.format)));
    }
    column.extents.push_back(*extents);
    column.files.push_back(&file);
    if (column.format != FileFormat::image && !is_bytes(column.format)) {
      look_at_numbers(file.text, column);
    }
  }
  // Vectors among matrices are matrices of one column.
  std::size_t most = 0;
  for (const Extents& extents : column.extents) most = std::max(most, extents.size());
  for (Extents& extents : column.extents) extents.resize(most, 1);
  return column;
}

class Importer {
 public:
  Importer(const LibwbFolder& from, fs::path root, std::string id)
      : from_(from), root_(std::move(root)), id_(std::move(id)) {}

  ImportedLab run() {
    check();
    for (std::size_t i = 0; i < from_.datasets.front().inputs.size(); ++i) {
      columns_.push_back(column_of(from_, i, false));
    }
    columns_.push_back(column_of(from_, 0, true));
    name_parameters();
    choose_type();
    // Whole before anything is written.
    const std::string lab = lab_toml();
    const std::string datasets = datasets_toml();
    for (std::size_t d = 0; d < from_.datasets.size(); ++d) {
      for (const Column& column : columns_)
        write(fs::path("datasets") / id_ / data_file(d, column), column.files[d]->text);
    }
    write(fs::path("datasets") / (id_ + ".toml"), datasets);
    write(fs::path("labs") / id_ / "lab.toml", lab);
    write(fs::path("labs") / id_ / (id_ + ".cu"), from_.stub);
    write(fs::path("labs") / id_ / "README.md",
          from_.handout.empty() ? fmt::format("# {}\n\nTODO: the handout.\n", from_.title)
                                : from_.handout);
    for (const LibwbFile& file : from_.linked) {
      write(fs::path("labs") / id_ / file.name, file.text);
    }
    if (!from_.solution.empty()) {
      write(fs::path("reference") / id_ / "solution.cu", from_.solution);
    }
    return {.files = made_,
            .unknown = unknown(),
            .decisions = from_.decisions,
            .has_solution = !from_.solution.empty()};
  }

 private:
  void check() const {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const bool good = !id_.empty() && id_.size() <= 40 && is_letter(id_.front()) &&
                      std::all_of(id_.begin(), id_.end(), [&](char c) {
                        return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
                      });
    if (!good) {
      throw UsageError(
          fmt::format("'{}' cannot be a lab's id: at most 40 lower-case letters, "
                      "digits and _, the first of them a letter; choose one with --id",
                      printable(id_)));
    }
    for (const fs::path& place :
         {fs::path("labs") / id_, fs::path("reference") / id_, fs::path("datasets") / id_,
          fs::path("datasets") / (id_ + ".toml")}) {
      if (fs::exists(root_ / place)) {
        throw UsageError(fmt::format(
            "{} already exists; nothing was changed. Choose another id with --id", place.string()));
      }
    }
    const LibwbDataset& first = from_.datasets.front();
    for (const LibwbDataset& data : from_.datasets) {
      bool same =
          data.inputs.size() == first.inputs.size() && data.output.name == first.output.name;
      for (std::size_t i = 0; same && i < data.inputs.size(); ++i) {
        same = data.inputs[i].name == first.inputs[i].name;
      }
      if (!same) {
        throw UsageError(
            fmt::format("datasets {} and {} have different files; make two labs of "
                        "them. Nothing was imported",
                        first.name, data.name));
      }
    }
  }

  void name_parameters() {
    std::map<std::string, int> seen;
    for (Column& column : columns_) {
      const int times = seen[column.name]++;
      if (times > 0) column.name += fmt::format("_{}", times);
    }
  }

  Column& output() { return columns_.back(); }
  [[nodiscard]] const Column& output() const { return columns_.back(); }

  /// libwb's type of the result, and the elements' types.
  void choose_type() {
    type_ = from_.type;
    type_is_known_ = !type_.empty();
    if (type_.empty()) {
      const std::string sources = from_.solution.empty() ? from_.stub : from_.solution;
      const bool is_matrix = output().extents.front().size() == 2;
      const bool reads_integers = sources.find("\"Integer\"") != std::string::npos;
      type_ = output().format == FileFormat::image    ? "image"
              : is_bytes(output().format)             ? "text"
              : !output().has_point && reads_integers ? "integral_vector"
              : is_matrix                             ? "matrix"
                                                      : "vector";
    }
    for (Column& column : columns_) {
      if (column.format == FileFormat::image) {
        column.type = &column == &output() ? "f32" : "u8";
      } else if (is_bytes(column.format)) {
        column.type = "u8";
      } else {
        column.type = "f32";
      }
    }
    if (type_ == "integral_vector" || type_ == "histogram") output().type = "i32";
  }

  /// The name of the dim that has these values in the datasets; a number if they are the same.
  std::string dim(const std::vector<std::uint64_t>& values) {
    const bool constant = std::all_of(values.begin(), values.end(),
                                      [&](std::uint64_t value) { return value == values.front(); });
    if (constant && values.size() > 1) return std::to_string(values.front());
    for (const auto& [name, known] : dims_) {
      if (known == values) return name;
    }
    constexpr std::array kNames = {"n", "m", "k", "l", "p", "q", "r", "s"};
    const std::string name =
        dims_.size() < kNames.size() ? kNames[dims_.size()] : fmt::format("n{}", dims_.size());
    dims_.emplace_back(name, values);
    return name;
  }

  std::string shape(const Column& column) {
    std::vector<std::string> extents;
    for (std::size_t axis = 0; axis < column.extents.front().size(); ++axis) {
      std::vector<std::uint64_t> values;
      for (const Extents& one : column.extents) values.push_back(one[axis]);
      extents.push_back(fmt::format("\"{}\"", dim(values)));
    }
    return fmt::format("{}", fmt::join(extents, ", "));
  }

  /// Half a unit of the last decimal that was written; of an image, one level.
  [[nodiscard]] double absolute() const {
    if (output().format == FileFormat::image) return 1;
    if (output().type != "f32") return 0;
    return output().has_point ? 0.5 * std::pow(10.0, -output().decimals) : 0;
  }

  std::string file_row(const Column& column, bool is_output) {
    std::string extra;
    if (is_output && absolute() > 0) extra += fmt::format(", absolute = {:g}", absolute());
    if (is_output && column.type == "f32" && column.format != FileFormat::image) {
      extra += fmt::format(", relative = {:g}", kRelative);
    }
    return fmt::format(
        "  {{ name = \"{}\", role = \"{}\", type = \"{}\", shape = [{}], at = {}, "
        "format = \"{}\"{} }},\n",
        column.name, is_output ? "output" : "input", column.type, shape(column),
        toml_string(column.at), slug(column.format), extra);
  }

  /// Points of the cases, by their weights; they sum to kCorrectness.
  [[nodiscard]] std::vector<double> points() const {
    double sum = 0;
    for (const LibwbDataset& data : from_.datasets) sum += std::max(data.score, 0.0);
    std::vector<double> all;
    double left = kCorrectness;
    for (std::size_t i = 0; i < from_.datasets.size(); ++i) {
      const double weight = sum > 0 ? std::max(from_.datasets[i].score, 0.0) / sum
                                    : 1.0 / static_cast<double>(from_.datasets.size());
      const bool last = i + 1 == from_.datasets.size();
      const double share = last ? left : std::floor(weight * kCorrectness * kCents) / kCents;
      all.push_back(share);
      left -= share;
    }
    return all;
  }

  std::string lab_toml() {
    std::string inputs;
    std::string rows;
    for (const Column& column : columns_) {
      const bool is_output = &column == &output();
      rows += file_row(column, is_output);
      if (!is_output) inputs += fmt::format("{}{{{}}}", inputs.empty() ? "" : ",", column.name);
    }
    std::string cases;
    const std::vector<double> shares = points();
    for (std::size_t i = 0; i < shares.size(); ++i) {
      cases += fmt::format(
          "  {{ name = \"dataset {0}\", dataset = \"{0}\", points = {1:.10g}, hint = "
          "\"{2}\" }},\n",
          from_.datasets[i].name, shares[i], hint(i));
    }
    return fmt::format(
        "# Imported from a lab with libwb. docs/adding-a-lab.md explains every key; lines marked "
        "TODO are\n# what that lab does not say.\n"
        "schema = 1\nid = \"{0}\"\ntitle = {1}\nsubmit = [\"{0}.cu\"]\n\n"
        "# TODO: points, hints, and which cases are hidden: `visible = false`, with data that "
        "students do not have.\n"
        "case = [\n{2}]\n\n"
        "[program]\narguments = [\"-i\", \"{3}\", \"-o\", \"{{{4}}}\", \"-t\", \"{5}\"]\n"
        "file = [\n{6}]\n\n"
        "[tolerance] # TODO: docs/tolerance.md; `absolute` and `relative` of the output are added\n"
        "{7}\n"
        "[rubric] # TODO\nbuild = 10\ncorrectness = {8}\nsafety = 20\nconcept = 0\nperformance = "
        "0\n",
        id_, toml_string(from_.title), cases, inputs, output().name, type_, rows,
        output().type == "f32" && output().format != FileFormat::image
            ? "model = \"rounding\"\nterms = 1\n"
            : "model = \"exact\"\n",
        kCorrectness);
  }

  [[nodiscard]] std::string hint(std::size_t dataset) const {
    std::string sizes;
    for (const auto& [name, values] : dims_) {
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", name, values[dataset]);
    }
    return sizes.empty() ? "The course's dataset."
                         : fmt::format("The course's dataset: {}.", sizes);
  }

  /// Below datasets/<id>.
  [[nodiscard]] fs::path data_file(std::size_t dataset, const Column& column) const {
    return fs::path(from_.datasets[dataset].name) / column.at;
  }

  std::string datasets_toml() {
    std::string text =
        "# The course's own data, copied; docs/adding-a-lab.md explains the keys.\n"
        "schema = 1\n";
    for (std::size_t d = 0; d < from_.datasets.size(); ++d) {
      std::vector<std::string> sizes;
      for (const auto& [name, values] : dims_) {
        sizes.push_back(fmt::format("{} = {}", name, values[d]));
      }
      text += fmt::format("\n[[dataset]]\nname = \"{}\"\ndims = {{ {} }}\n", from_.datasets[d].name,
                          fmt::join(sizes, ", "));
      for (const Column& column : columns_) {
        text += fmt::format("given.{} = {{ file = {} }}\n", column.name,
                            toml_string(data_file(d, column).string()));
      }
    }
    return text;
  }

  [[nodiscard]] std::vector<std::string> unknown() const {
    std::vector<std::string> all;
    all.push_back(from_.has_scores
                      ? fmt::format("how many points the build and safety get: 10 and 20; the "
                                    "datasets' weights share the other {}",
                                    kCorrectness)
                      : fmt::format("points: 10 for the build, 20 for safety, {} shared equally by "
                                    "the datasets",
                                    kCorrectness));
    if (output().type == "f32" && output().format != FileFormat::image) {
      all.push_back(fmt::format(
          "the tolerance: {} of the expected value{}", kRelative,
          absolute() > 0
              ? fmt::format(", and {:g} because it has {} decimals", absolute(), output().decimals)
              : ""));
    } else if (output().format == FileFormat::image) {
      all.push_back("the tolerance: one of the 255 levels");
    } else {
      all.push_back("the tolerance: integers must be equal");
    }
    if (!type_is_known_) all.push_back(fmt::format("libwb's type of the result: -t {}", type_));
    all.push_back("which cases should be hidden: none, because students may have the datasets");
    all.push_back("hints, concept checks and the performance item: there are none");
    if (from_.generated) all.push_back("the datasets: those that its generator made now");
    return all;
  }

  void write(const fs::path& path, std::string_view text) {
    write_file_atomically(root_ / path, std::string(text));
    made_.push_back(path);
  }

  const LibwbFolder& from_;
  const fs::path root_;
  const std::string id_;
  std::vector<Column> columns_;  // the last one is the output
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> dims_;
  std::string type_;
  bool type_is_known_ = false;
  std::vector<fs::path> made_;
};

}  // namespace

ImportedLab import_libwb(const LibwbFolder& from, const fs::path& root, const std::string& id) {
  return Importer(from, root, id).run();
}

std::string id_of_folder(const fs::path& folder) {
  const std::string name = fs::absolute(folder / ".").lexically_normal().parent_path().filename();
  std::string id;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_upper) {
      if (i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z') id += '_';
      id += static_cast<char>(c - 'A' + 'a');
    } else {
      id += is_plain ? c : '_';
    }
  }
  return id;
}

}  // namespace warpgrade
