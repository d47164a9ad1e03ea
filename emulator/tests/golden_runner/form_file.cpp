#include "emulator/tests/golden_runner/form_file.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "emulator/isa/inst.h"
#include "emulator/tests/golden_runner/expand.h"

namespace warpsim::golden {
namespace {

struct Line {
  std::size_t number = 0;
  std::string text;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Lines without comments; one that starts with white space is joined to the line before. Blank
/// lines stay, because they end a case.
std::vector<Line> logical_lines(const std::string& text) {
  std::vector<Line> lines;
  std::istringstream stream(text);
  std::string raw;
  for (std::size_t number = 1; std::getline(stream, raw); ++number) {
    const std::size_t hash = raw.find('#');
    const bool comment_only = hash != raw.npos && trimmed(raw.substr(0, hash)).empty();
    if (comment_only) continue;
    if (hash != raw.npos) raw.resize(hash);
    const bool continues = !raw.empty() && (raw[0] == ' ' || raw[0] == '\t');
    const std::string_view content = trimmed(raw);
    if (continues && !content.empty() && !lines.empty()) {
      lines.back().text += fmt::format(" {}", content);
    } else {
      lines.push_back({number, std::string(content)});
    }
  }
  return lines;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  std::istringstream stream{std::string(text)};
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

class Parser {
 public:
  explicit Parser(std::string name) { file_.name = std::move(name); }

  void line(const std::string& text) {
    if (text.empty()) {
      if (form_ != nullptr) close_case();
    } else if (text.starts_with("form ")) {
      end_form();
      begin_form(text.substr(5));
    } else if (text.starts_with("target ")) {
      end_form();
      parse_target(text);
    } else if (form_ == nullptr) {
      throw std::runtime_error(fmt::format("'{}' stands before the first form", text));
    } else if (form_->warp) {
      parse_assignment(text);
    } else {
      parse_vector(text);
    }
  }

  FormFile finish() {
    end_form();
    if (file_.forms.empty()) throw std::runtime_error("no form");
    return std::move(file_);
  }

  std::size_t number = 0;  // of the line being parsed

 private:
  void parse_target(const std::string& text) {
    const std::vector<std::string> parts = words(text);
    if (parts.size() != 3) throw std::runtime_error("expected 'target sm_90 8.6'");
    target_ = {parts[1], parts[2]};
  }

  void begin_form(const std::string& text) {
    const std::size_t semicolon = text.rfind(';');
    if (semicolon == text.npos) throw std::runtime_error("a form without ';'");
    Form form;
    form.line = number;
    form.target = target_;
    form.instructions = text.substr(0, semicolon + 1);
    parse_signature(text.substr(semicolon + 1), form);
    file_.forms.push_back(std::move(form));
    form_ = &file_.forms.back();
    columns_ = first_brace_size(form_->instructions);
    case_is_open_ = false;
    if (!form_->warp) form_->cases.emplace_back();
  }

  static void parse_signature(const std::string& text, Form& form) {
    const std::vector<std::string> parts = words(text);
    std::vector<Register>* side = &form.inputs;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string& part = parts[i];
      if (part == "->") {
        side = &form.outputs;
      } else if (part == "warp") {
        form.warp = true;
      } else if (part == "ulp" || part == "abs" || part == "rel") {
        if (i + 1 == parts.size()) throw std::runtime_error(fmt::format("{} of what?", part));
        double& limit = part == "ulp"   ? form.tolerance.ulp
                        : part == "abs" ? form.tolerance.abs
                                        : form.tolerance.rel;
        limit = std::stod(parts[++i]);
      } else {
        side->push_back(parse_register(part));
      }
    }
    if (form.outputs.empty()) throw std::runtime_error("a form without outputs");
  }

  static Register parse_register(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == text.npos) throw std::runtime_error(fmt::format("'{}' is not a name:type", text));
    const auto type = ptx::parse_type(text.substr(colon + 1));
    if (!type) throw std::runtime_error(fmt::format("'{}' has no type that is known", text));
    return {text.substr(0, colon), *type};
  }

  void parse_vector(const std::string& text) {
    const std::size_t arrow = text.find("->");
    if (arrow == text.npos) throw std::runtime_error("a vector without '->'");
    Vector vector;
    vector.line = number;
    const std::vector<std::string> inputs = words(text.substr(0, arrow));
    require_count(inputs.size(), form_->inputs.size(), "inputs");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      vector.inputs.push_back(parse_value(inputs[i], form_->inputs[i].type));
    }
    const std::string outputs = text.substr(arrow + 2);
    for (const std::string_view column : split(outputs, '|')) {
      const std::vector<std::string> values = words(column);
      require_count(values.size(), form_->outputs.size(), "outputs");
      std::vector<Expected>& expected = vector.columns.emplace_back();
      for (std::size_t i = 0; i < values.size(); ++i) {
        expected.push_back(parse_expected(values[i], form_->outputs[i].type));
      }
    }
    if (vector.columns.size() != 1) require_count(vector.columns.size(), columns_, "columns");
    form_->cases.front().vectors.push_back(std::move(vector));
  }

  static void require_count(std::size_t got, std::size_t want, std::string_view what) {
    if (got != want) throw std::runtime_error(fmt::format("{} {} instead of {}", got, what, want));
  }

  void open_case() {
    Case& opened = form_->cases.emplace_back();
    opened.vectors.resize(kWarpSize);
    for (Vector& vector : opened.vectors) {
      vector.line = number;
      vector.inputs.resize(form_->inputs.size());
      vector.columns = {std::vector<Expected>(form_->outputs.size())};
    }
    inputs_given_.assign(form_->inputs.size(), false);
    outputs_given_.assign(form_->outputs.size(), false);
    case_is_open_ = true;
  }

  void close_case() {
    if (!case_is_open_) return;
    case_is_open_ = false;
    for (std::size_t i = 0; i < inputs_given_.size(); ++i) {
      if (!inputs_given_[i]) throw std::runtime_error(form_->inputs[i].name + " has no values");
    }
    for (std::size_t i = 0; i < outputs_given_.size(); ++i) {
      if (!outputs_given_[i]) throw std::runtime_error(form_->outputs[i].name + " has no values");
    }
  }

  /// Position of the register `name` among those without values yet, or -1.
  static int find(const std::vector<Register>& registers, std::vector<bool>& given,
                  const std::string& name) {
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (registers[i].name != name || given[i]) continue;
      given[i] = true;
      return static_cast<int>(i);
    }
    return -1;
  }

  /// "a = 0..31": one register in all lanes. A name that is input and output is given in that
  /// order.
  void parse_assignment(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos) throw std::runtime_error("expected 'name = 32 values'");
    const std::string name(trimmed(std::string_view(text).substr(0, equals)));
    const std::string_view values = trimmed(std::string_view(text).substr(equals + 1));
    if (!case_is_open_) open_case();
    Case& current = form_->cases.back();
    if (name == "active") {
      current.active = static_cast<std::uint32_t>(parse_value(values, ptx::Type::b32));
      return;
    }
    const std::vector<std::string> items = split_list(values);
    require_count(items.size(), kWarpSize, "values");
    if (const int i = find(form_->inputs, inputs_given_, name); i >= 0) {
      const auto at = static_cast<std::size_t>(i);
      for (std::size_t lane = 0; lane < items.size(); ++lane) {
        current.vectors[lane].inputs[at] = parse_value(items[lane], form_->inputs[at].type);
      }
    } else if (const int j = find(form_->outputs, outputs_given_, name); j >= 0) {
      const auto at = static_cast<std::size_t>(j);
      for (std::size_t lane = 0; lane < items.size(); ++lane) {
        current.vectors[lane].columns[0][at] = parse_expected(items[lane], form_->outputs[at].type);
      }
    } else {
      throw std::runtime_error(fmt::format("'{}' is not a register that still needs values", name));
    }
  }

  void end_form() {
    if (form_ == nullptr) return;
    close_case();
    const bool empty = form_->cases.empty() || form_->cases.front().vectors.empty();
    if (empty) throw std::runtime_error(fmt::format("no vectors for '{}'", form_->instructions));
    form_ = nullptr;
  }

  FormFile file_;
  Target target_;
  Form* form_ = nullptr;  // the one whose vectors are being read
  std::size_t columns_ = 1;
  bool case_is_open_ = false;
  std::vector<bool> inputs_given_;  // registers of the open case that have their values
  std::vector<bool> outputs_given_;
};

}  // namespace

FormFile parse_form_file(std::string name, const std::string& text) {
  Parser parser(name);
  try {
    for (const Line& line : logical_lines(text)) {
      parser.number = line.number;
      parser.line(line.text);
    }
    return parser.finish();
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}:{}: {}", name, parser.number, error.what()));
  }
}

FormFile read_form_file(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_form_file(path.filename().string(), text.str());
}

}  // namespace warpsim::golden
