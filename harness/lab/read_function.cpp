#include "harness/lab/read_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/lab/checks.h"
#include "harness/lab/read_comparison.h"
#include "harness/lab/read_sparse.h"

namespace warpgrade {

namespace {

// In the order of the enumerations.
const std::vector<std::string> kLayouts = {"array-of-structs", "struct-of-arrays"};

constexpr std::string_view kSparse = "[[function.sparse]]";

/// Places the fields as the C++ ABI does: each at a multiple of its size.
void lay_out(RecordType& record) {
  for (RecordType::Field& field : record.fields) {
    const std::size_t size = size_of(field.type);
    field.offset = (record.size + size - 1) / size * size;
    record.size = field.offset + size;
    record.alignment = std::max(record.alignment, size);
  }
  record.size = (record.size + record.alignment - 1) / record.alignment * record.alignment;
}

class FunctionReader {
 public:
  FunctionReader(TomlTable& document, const std::vector<Dataset>& datasets, Lab& lab)
      : document_(document), datasets_(datasets), lab_(lab) {}

  void read() {
    for (TomlTable& row : document_.tables("record")) read_record(row);
    TomlTable table = document_.table("function");
    if (!table.has("step")) lab_.function = read_name(table);
    for (TomlTable& row : table.tables("sparse")) {
      read_sparse_matrix(row, kSparse, datasets_, lab_);
    }
    for (TomlTable& row : table.tables("parameter")) read_parameter(row);
    if (std::none_of(lab_.parameters.begin(), lab_.parameters.end(),
                     [](const Parameter& p) { return p.is_written(); })) {
      table.fail("parameter",
                 "no [[function.parameter]] is an output; add one with role = \"output\"");
    }
    check_groups(table, lab_);
    for (TomlTable& row : table.tables("step")) read_step(row);
    check_steps(table);
    check_returned(table);
    table.finish();
  }

 private:
  static std::string read_name(TomlTable& table) {
    std::string name = table.string("name");
    if (!is_identifier(name)) {
      table.fail("name",
                 fmt::format("function name '{}' must be lower-case letters, digits and _", name));
    }
    return name;
  }

  void read_record(TomlTable& row) {
    RecordType record;
    record.name = row.string("name");
    row.set_title(fmt::format("[[record]] \"{}\"", record.name));
    record.arrays = row.string_or("arrays", "");
    for (const std::string& name : {record.name, record.arrays}) {
      if (!name.empty() && !is_type_name(name)) {
        row.fail(
            name == record.name ? "name" : "arrays",
            fmt::format("'{}' is not the name of a structure; use letters, digits and _", name));
      }
    }
    if (element_type(record.name) || find_record(record.name) != nullptr) {
      row.fail("name", fmt::format("type '{}' exists already; rename the record", record.name));
    }
    for (TomlTable& entry : row.tables("field")) {
      RecordType::Field field{.name = entry.string("name"), .type = read_element_type(entry)};
      const bool twice =
          std::any_of(record.fields.begin(), record.fields.end(),
                      [&](const RecordType::Field& other) { return other.name == field.name; });
      if (twice || !is_identifier(field.name)) {
        entry.fail("name", fmt::format("field '{}' {}", field.name,
                                       twice ? "occurs twice; rename one"
                                             : "must be lower-case letters, digits and _"));
      }
      entry.finish();
      record.fields.push_back(field);
    }
    if (record.fields.empty()) {
      row.fail("field", fmt::format("[[record]] \"{}\" has no fields; add field = [{{ name = "
                                    "\"x\", type = \"f32\" }}]",
                                    record.name));
    }
    row.finish();
    lay_out(record);
    lab_.records.push_back(std::move(record));
  }

  [[nodiscard]] const RecordType* find_record(std::string_view name) const {
    const auto found = std::find_if(lab_.records.begin(), lab_.records.end(),
                                    [&](const RecordType& record) { return record.name == name; });
    return found == lab_.records.end() ? nullptr : &*found;
  }

  static ElementType read_element_type(TomlTable& row) {
    return static_cast<ElementType>(row.choice("type", element_type_names()));
  }

  void read_parameter(TomlTable& row) {
    Parameter parameter;
    parameter.name = row.string("name");
    row.set_title(fmt::format("[[function.parameter]] \"{}\"", parameter.name));
    if (!is_identifier(parameter.name)) {
      row.fail("name", fmt::format("parameter name '{}' must be lower-case letters, digits and _",
                                   parameter.name));
    }
    for (const Parameter& other : lab_.parameters) {
      if (other.argument() == parameter.name) {
        row.fail("name", fmt::format("parameter '{}' occurs twice; rename one", parameter.name));
      }
    }
    parameter.role = named<Role>(row, "role");
    if (parameter.role == Role::stream) {
      lab_.parameters.push_back(std::move(parameter));
    } else if (!parameter.is_array() && find_record(row.string("type")) != nullptr) {
      add_values(row, parameter, *find_record(row.string("type")));
    } else if (!parameter.is_array()) {
      parameter.type = read_element_type(row);
      parameter.value = row.expression("value");
      check_dims(row, "value", *parameter.value, datasets_);
      lab_.parameters.push_back(std::move(parameter));
    } else if (row.boolean_or("returned", false)) {
      read_returned(row, std::move(parameter));
    } else {
      parameter.memory = named_or(row, "memory", Memory::device);
      read_array(row, std::move(parameter));
    }
    row.finish();
  }

  void read_returned(TomlTable& row, Parameter parameter) {
    if (parameter.role != Role::output) {
      row.fail("role", "what a function returns is an output; write role = \"output\"");
    }
    for (const char* key : {"shape", "memory"}) {
      if (row.has(key)) {
        row.fail(key, fmt::format("a returned value is one element; remove '{}'", key));
      }
    }
    parameter.type = read_element_type(row);
    parameter.memory = Memory::host;
    parameter.shape = {Expression("1")};
    parameter.is_returned = true;
    read_comparison(row, datasets_, parameter);
    lab_.parameters.push_back(std::move(parameter));
  }

  /// A structure that is passed by value: a scalar for each field.
  void add_values(TomlTable& row, const Parameter& parameter, const RecordType& record) {
    TomlTable values = row.table("value");
    values.set_title(fmt::format("value of [[function.parameter]] \"{}\"", parameter.name));
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
      Parameter field = parameter;
      field.name = parameter.name + "." + record.fields[i].name;
      field.type = record.fields[i].type;
      field.value = values.expression(record.fields[i].name);
      check_dims(values, record.fields[i].name, *field.value, datasets_);
      field.layout = FieldLayout::by_value;
      field.record = record.name;
      field.group = parameter.name;
      field.field = i;
      lab_.parameters.push_back(std::move(field));
    }
    values.finish();
  }

  void read_array(TomlTable& row, Parameter parameter) {
    const RecordType* record = find_record(row.string("type"));
    if (record == nullptr && !element_type(row.string("type")) && !lab_.records.empty()) {
      std::vector<std::string> known = element_type_names();
      for (const RecordType& candidate : lab_.records) known.push_back(candidate.name);
      check_known(row, "type", row.string("type"), known, "type");
    }
    if (record == nullptr) parameter.type = read_element_type(row);
    if (row.has("of")) {
      read_sparse_part(row, kSparse, lab_, parameter);
    } else {
      parameter.shape = row.expressions("shape");
      for (const Expression& extent : parameter.shape) {
        check_dims(row, "shape", extent, datasets_);
      }
    }
    if (record == nullptr) {
      if (parameter.is_written()) read_comparison(row, datasets_, parameter);
      lab_.parameters.push_back(std::move(parameter));
      return;
    }
    if (!parameter.matrix.empty()) {
      row.fail("type", "a part of a sparse matrix cannot be a record; give each field a matrix");
    }
    add_fields(row, parameter, *record);
  }

  void add_fields(TomlTable& row, const Parameter& parameter, const RecordType& record) {
    const bool in_struct = row.choice_or("layout", kLayouts, 0) == 1;
    if (in_struct && record.arrays.empty()) {
      row.fail("layout", fmt::format("[[record]] \"{}\" does not name the structure of its arrays; "
                                     "add arrays = \"{}Arrays\" there",
                                     record.name, record.name));
    }
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
      Parameter field = parameter;
      field.name = parameter.name + "." + record.fields[i].name;
      field.type = record.fields[i].type;
      field.layout = in_struct ? FieldLayout::struct_of_arrays : FieldLayout::array_of_structs;
      field.record = record.name;
      field.group = parameter.name;
      field.field = i;
      lab_.parameters.push_back(std::move(field));
    }
  }

  void read_step(TomlTable& row) {
    Function step;
    step.name = read_name(row);
    row.set_title(fmt::format("[[function.step]] \"{}\"", step.name));
    for (const Function& other : lab_.steps) {
      if (other.name == step.name) {
        row.fail("name", fmt::format("step '{}' occurs twice; give it 'times' instead", step.name));
      }
    }
    std::vector<std::string> known;
    std::vector<std::string> returned;
    for (const Parameter& parameter : lab_.parameters) {
      if (parameter.is_returned) {
        returned.push_back(parameter.name);
      } else if (known.empty() || known.back() != parameter.argument()) {
        known.push_back(parameter.argument());
      }
    }
    if (row.has("returns")) {
      step.returns = row.string("returns");
      check_known(row, "returns", step.returns, returned, "returned parameter");
    }
    step.parameters = row.strings("parameters");
    for (const std::string& name : step.parameters) {
      check_known(row, "parameters", name, known, "parameter");
    }
    if (row.has("times")) {
      step.times = row.expression("times");
      check_dims(row, "times", *step.times, datasets_);
    }
    row.finish();
    lab_.steps.push_back(std::move(step));
  }

  /// Every parameter is passed to some function.
  void check_steps(TomlTable& table) {
    if (!table.has("step")) return;
    if (table.has("name")) {
      table.fail("name",
                 "[function] has a name and steps; each step has a name of its own, so "
                 "remove 'name'");
    }
    if (lab_.steps.empty()) table.fail("step", "'step' is empty; add one or give a 'name'");
    lab_.function = lab_.steps.front().name;
    for (const Parameter& parameter : lab_.parameters) {
      const bool used = std::any_of(lab_.steps.begin(), lab_.steps.end(), [&](const Function& f) {
        return f.returns == parameter.name || std::find(f.parameters.begin(), f.parameters.end(),
                                                        parameter.argument()) != f.parameters.end();
      });
      if (!used) {
        table.fail("step", fmt::format("no [[function.step]] has the parameter '{}'; add it to one "
                                       "or remove it",
                                       parameter.argument()));
      }
    }
  }

  /// One function returns one value.
  void check_returned(TomlTable& table) const {
    const auto count = std::count_if(lab_.parameters.begin(), lab_.parameters.end(),
                                     [](const Parameter& p) { return p.is_returned; });
    if (lab_.steps.empty() && count > 1) {
      table.fail("parameter", "several parameters are returned; a function returns one value");
    }
    for (const Parameter& parameter : lab_.parameters) {
      const auto by = std::count_if(lab_.steps.begin(), lab_.steps.end(),
                                    [&](const Function& f) { return f.returns == parameter.name; });
      if (parameter.is_returned && by > 1) {
        table.fail("step",
                   fmt::format("several steps return '{}'; give each a parameter of its own",
                               parameter.name));
      }
    }
  }

  TomlTable& document_;
  const std::vector<Dataset>& datasets_;
  Lab& lab_;
};

}  // namespace

void read_settings(TomlTable& document, Lab& lab) {
  for (TomlTable& row : document.tables("setting")) {
    Setting setting{.name = row.string("name"), .values = row.strings("values")};
    row.set_title(fmt::format("[[setting]] \"{}\"", setting.name));
    if (!is_identifier(setting.name)) {
      row.fail("name", fmt::format("setting name '{}' must be lower-case letters, digits and _",
                                   setting.name));
    }
    for (const Setting& other : lab.settings) {
      if (other.name == setting.name) {
        row.fail("name", fmt::format("setting '{}' occurs twice; rename one", setting.name));
      }
    }
    if (setting.values.empty() ||
        std::set<std::string>(setting.values.begin(), setting.values.end()).size() !=
            setting.values.size()) {
      row.fail("values", fmt::format("the values of setting '{}' must be different names; write "
                                     "values = [\"sum\", \"max\"]",
                                     setting.name));
    }
    row.finish();
    lab.settings.push_back(std::move(setting));
  }
}

NamedSettings named_settings(const Lab& lab) {
  NamedSettings named;
  for (const Setting& setting : lab.settings) named.emplace(setting.name, setting.values);
  return named;
}

void read_function(TomlTable& document, const std::vector<Dataset>& datasets, Lab& lab) {
  FunctionReader(document, datasets, lab).read();
}

}  // namespace warpgrade
