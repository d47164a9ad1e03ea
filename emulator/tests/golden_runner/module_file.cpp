#include "emulator/tests/golden_runner/module_file.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpsim::golden {
namespace {

struct Directive {
  std::size_t line = 0;
  std::string name;
  std::string text;
};

bool is_directive_name(const std::string& name) {
  return name == "run" || name == "in" || name == "out" || name == "inout" || name == "arg";
}

/// The comments "// name: text", with their continuation lines ("//  text").
std::vector<Directive> directives(const std::string& text) {
  std::vector<Directive> found;
  std::istringstream stream(text);
  std::string line;
  bool open = false;  // the line before belongs to a directive
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (open && line.starts_with("//  ")) {
      found.back().text += line.substr(3);
      continue;
    }
    open = false;
    const std::size_t colon = line.find(':');
    if (!line.starts_with("// ") || colon == line.npos) continue;
    const std::string name = line.substr(3, colon - 3);
    if (!is_directive_name(name)) continue;
    found.push_back({number, name, line.substr(colon + 1)});
    open = true;
  }
  return found;
}

void parse_extent(std::string text, std::uint32_t (&extent)[3]) {
  for (char& c : text) {
    if (c == ',') c = ' ';
  }
  std::istringstream stream(text);
  for (std::uint32_t& e : extent) {
    if (!(stream >> e)) return;
  }
}

Run parse_run(const Directive& directive) {
  Run run;
  run.line = directive.line;
  std::istringstream stream(directive.text);
  stream >> run.entry;
  for (std::string word; stream >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
    if (key == "grid") {
      parse_extent(value, run.shape.grid);
    } else if (key == "block") {
      parse_extent(value, run.shape.block);
    } else if (key == "shared") {
      run.shape.shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    } else if (key == "cooperative") {
      run.shape.cooperative = true;
    } else {
      throw std::runtime_error(fmt::format("'{}' is not an option of run", word));
    }
  }
  return run;
}

/// Takes "ulp 2 abs 1e-6" from the front of a list of values.
Tolerance take_tolerance(std::istringstream& stream) {
  Tolerance tolerance;
  while (true) {
    const auto start = stream.tellg();
    std::string word;
    stream >> word;
    if (word == "ulp") {
      stream >> tolerance.ulp;
    } else if (word == "abs") {
      stream >> tolerance.abs;
    } else if (word == "rel") {
      stream >> tolerance.rel;
    } else {
      stream.clear();
      stream.seekg(start);
      return tolerance;
    }
  }
}

Argument parse_argument(const Directive& directive) {
  Argument argument;
  argument.line = directive.line;
  argument.is_buffer = directive.name != "arg";
  std::istringstream stream(directive.text);
  std::string type_name;
  stream >> type_name;
  const auto type = ptx::parse_type(type_name);
  if (!type) throw std::runtime_error(fmt::format("'{}' is not a type", type_name));
  argument.type = *type;
  argument.tolerance = take_tolerance(stream);
  std::string values;
  std::getline(stream, values);
  const std::size_t equals = values.find('=');
  if ((directive.name == "inout") != (equals != values.npos)) {
    throw std::runtime_error("only inout has '=', between the values before and after");
  }
  if (directive.name != "out") {
    for (const std::string& item : split_list(values.substr(0, equals))) {
      argument.before.push_back(parse_value(item, *type));
    }
  }
  if (directive.name == "out" || directive.name == "inout") {
    const std::string after = equals == values.npos ? values : values.substr(equals + 1);
    for (const std::string& item : split_list(after)) {
      argument.after.push_back(parse_expected(item, *type));
    }
  }
  if (argument.before.empty() && argument.after.empty()) throw std::runtime_error("no values");
  if (!argument.before.empty() && !argument.after.empty() &&
      argument.before.size() != argument.after.size()) {
    throw std::runtime_error(fmt::format("{} values before the launch, {} after",
                                         argument.before.size(), argument.after.size()));
  }
  return argument;
}

/// The word behind a PTX directive such as ".target".
std::string word_after(const std::string& text, const std::string& directive) {
  const std::size_t at = text.find("\n" + directive + " ");
  if (at == text.npos) throw std::runtime_error(fmt::format("no {}", directive));
  std::istringstream stream(text.substr(at + 1 + directive.size()));
  std::string word;
  stream >> word;
  return word.substr(0, word.find(','));
}

}  // namespace

ModuleFile parse_module_file(std::string name, std::string text) {
  ModuleFile file;
  file.name = std::move(name);
  file.text = std::move(text);
  std::size_t line = 1;
  try {
    for (const Directive& directive : directives(file.text)) {
      line = directive.line;
      if (directive.name == "run") {
        file.runs.push_back(parse_run(directive));
      } else if (file.runs.empty()) {
        throw std::runtime_error("an argument before the first run");
      } else {
        file.runs.back().arguments.push_back(parse_argument(directive));
      }
    }
    if (file.runs.empty()) throw std::runtime_error("no run");
    file.target = {word_after(file.text, ".target"), word_after(file.text, ".version")};
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}:{}: {}", file.name, line, error.what()));
  }
  return file;
}

ModuleFile read_module_file(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot be read", path.string()));
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_module_file(path.filename().string(), text.str());
}

}  // namespace warpsim::golden
