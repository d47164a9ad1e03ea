#include "emulator/tests/golden_runner/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "emulator/isa/inst.h"
#include "emulator/ptx/module.h"
#include "emulator/tests/golden_runner/expand.h"
#include "emulator/tests/golden_runner/form_module.h"

namespace warpsim::golden {
namespace {

using ptx::Type;

constexpr std::byte kSentinel{0xa5};  // in output registers before the instruction
constexpr std::uint32_t kEveryOtherLane = 0x55555555;
constexpr std::size_t kMaxFailures = 20;  // a file, so that one mistake stays readable

void put(std::span<std::byte> buffer, std::size_t offset, Bits bits, Type type) {
  std::memcpy(buffer.data() + offset, &bits, buffer_bytes(type));
}

Bits get(std::span<const std::byte> buffer, std::size_t offset, Type type) {
  Bits bits = 0;
  std::memcpy(&bits, buffer.data() + offset, buffer_bytes(type));
  return bits;
}

/// What an output register holds before the instruction, as `type`.
Bits initial_value(const Form& form, const Vector& vector, const Register& output) {
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    if (form.inputs[i].name == output.name) return vector.inputs[i];
  }
  if (output.type == Type::pred) return 1;  // any nonzero word is read as true
  Bits bits = 0;
  std::memset(&bits, static_cast<int>(kSentinel), ptx::size_bytes(output.type));
  return bits;
}

std::string print_inputs(const Form& form, const Vector& vector) {
  std::string text;
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", form.inputs[i].name,
                        print_bits(vector.inputs[i], form.inputs[i].type));
  }
  return text;
}

/// Runs one entry on one case and compares.
void run_case(const Entry& entry, const Case& golden, std::uint32_t active, Backend& backend,
              const std::string& file_name, std::vector<std::string>& failures) {
  const Form& form = *entry.form;
  const std::size_t warps = (golden.vectors.size() + kWarpSize - 1) / kWarpSize;
  const std::size_t threads = warps * kWarpSize;
  const std::size_t in_stride = kValueStride * form.inputs.size();
  const std::size_t out_stride = kValueStride * form.outputs.size();
  // A form without inputs still passes a buffer.
  std::vector<std::byte> in(std::max<std::size_t>(threads * in_stride, kValueStride));
  std::vector<std::byte> out(threads * out_stride, kSentinel);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const Vector& vector = golden.vectors[thread % golden.vectors.size()];
    for (std::size_t i = 0; i < form.inputs.size(); ++i) {
      put(in, thread * in_stride + kValueStride * i, vector.inputs[i], form.inputs[i].type);
    }
  }
  const std::uint64_t in_address = backend.upload(in);
  const std::uint64_t out_address = backend.upload(out);
  const auto argument = [](const auto& value) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    return std::vector<std::byte>(bytes, bytes + sizeof value);
  };
  const std::vector<std::byte> arguments[] = {argument(in_address), argument(out_address),
                                              argument(active)};
  LaunchShape shape;
  shape.grid[0] = static_cast<std::uint32_t>(warps);
  shape.block[0] = kWarpSize;
  backend.launch(entry.name, shape, arguments);
  backend.download(out_address, out);

  for (std::size_t thread = 0; thread < threads; ++thread) {
    const Vector& vector = golden.vectors[thread % golden.vectors.size()];
    const std::size_t lane = thread % kWarpSize;
    const bool is_active = (active >> lane) & 1;
    const auto& column = vector.columns[vector.columns.size() == 1 ? 0 : entry.column];
    for (std::size_t i = 0; i < form.outputs.size(); ++i) {
      const Register& output = form.outputs[i];
      const Bits got = get(out, thread * out_stride + kValueStride * i, output.type);
      const Bits before = initial_value(form, vector, output);
      if (is_active ? matches(column[i], got, output.type, form.tolerance) : got == before) {
        continue;
      }
      if (failures.size() >= kMaxFailures) return;
      const std::string place =
          fmt::format("{}:{}: {}\n", file_name, vector.line, entry.instructions);
      // Lanes of other forms than warp ones repeat vectors: one failure tells as much as all.
      if (!form.warp && std::any_of(failures.begin(), failures.end(), [&](const std::string& told) {
            return told.starts_with(place);
          })) {
        continue;
      }
      failures.push_back(fmt::format(
          "{}  lane {} of {:#010x}, {}: {} is {} instead of {}", place, lane, active,
          print_inputs(form, vector), output.name, print_bits(got, output.type),
          is_active ? print_expected(column[i], output.type)
                    : print_bits(before, output.type) + ", its value before: the lane is off"));
    }
  }
}

void run_entry(const Entry& entry, Backend& backend, const std::string& file_name,
               Outcome& outcome) {
  ++outcome.ran;
  try {
    for (const Case& golden : entry.form->cases) {
      run_case(entry, golden, golden.active, backend, file_name, outcome.failures);
      if (entry.form->warp) continue;
      run_case(entry, golden, kEveryOtherLane, backend, file_name, outcome.failures);
    }
  } catch (const BackendError& error) {
    outcome.failures.push_back(fmt::format("{}:{}: {}: {}", file_name, entry.form->line,
                                           entry.instructions, error.what()));
  }
}

/// Loads and runs entries of one target. When the module as a whole is refused, each entry is
/// tried alone, so that one bad form does not hide the others.
void run_entries(const std::vector<Entry>& group, Backend& backend, const std::string& file_name,
                 Outcome& outcome) {
  try {
    backend.load(make_module(group), file_name);
  } catch (const BackendError& error) {
    if (group.size() > 1) {
      for (const Entry& entry : group) run_entries({entry}, backend, file_name, outcome);
      return;
    }
    ++outcome.ran;
    outcome.failures.push_back(fmt::format("{}:{}: {}: {}", file_name, group[0].form->line,
                                           group[0].instructions, error.what()));
    return;
  }
  for (const Entry& entry : group) run_entry(entry, backend, file_name, outcome);
}

void run_launch(const ModuleFile& file, const Run& run, Backend& backend, Outcome& outcome) {
  std::vector<std::vector<std::byte>> arguments;
  std::vector<std::uint64_t> buffers;
  for (const Argument& argument : run.arguments) {
    const std::size_t bytes = buffer_bytes(argument.type);
    std::vector<std::byte> values(bytes * std::max(argument.before.size(), argument.after.size()),
                                  std::byte{0xcb});
    for (std::size_t i = 0; i < argument.before.size(); ++i) {
      put(values, bytes * i, argument.before[i], argument.type);
    }
    if (!argument.is_buffer) {
      arguments.push_back(std::move(values));
      buffers.push_back(0);
      continue;
    }
    buffers.push_back(backend.upload(values));
    const auto* const address = reinterpret_cast<const std::byte*>(&buffers.back());
    arguments.emplace_back(address, address + sizeof(std::uint64_t));
  }
  backend.launch(run.entry, run.shape, arguments);
  for (std::size_t i = 0; i < run.arguments.size(); ++i) {
    const Argument& argument = run.arguments[i];
    const std::size_t bytes = buffer_bytes(argument.type);
    std::vector<std::byte> values(bytes * argument.after.size());
    if (values.empty()) continue;
    backend.download(buffers[i], values);
    for (std::size_t j = 0; j < argument.after.size(); ++j) {
      const Bits got = get(values, bytes * j, argument.type);
      if (matches(argument.after[j], got, argument.type, argument.tolerance)) continue;
      if (outcome.failures.size() >= kMaxFailures) return;
      outcome.failures.push_back(fmt::format(
          "{}:{}: {}: element {} is {} instead of {}", file.name, argument.line, run.entry, j,
          print_bits(got, argument.type), print_expected(argument.after[j], argument.type)));
    }
  }
}

}  // namespace

Outcome run_forms(const FormFile& file, Backend& backend) {
  Outcome outcome;
  std::map<std::pair<std::string, std::string>, std::vector<Entry>> groups;
  for (std::size_t i = 0; i < file.forms.size(); ++i) {
    const Form& form = file.forms[i];
    std::vector<Entry> expanded = entries(form, i);
    if (!backend.supports(form.target)) {
      outcome.skipped += expanded.size();
      continue;
    }
    auto& group = groups[{form.target.architecture, form.target.isa}];
    std::move(expanded.begin(), expanded.end(), std::back_inserter(group));
  }
  for (const auto& [target, group] : groups) run_entries(group, backend, file.name, outcome);
  return outcome;
}

Outcome run_module(const ModuleFile& file, Backend& backend) {
  Outcome outcome;
  if (!backend.supports(file.target)) {
    outcome.skipped = file.runs.size();
    return outcome;
  }
  try {
    backend.load(file.text, file.name);
  } catch (const BackendError& error) {
    outcome.failures.push_back(fmt::format("{}: {}", file.name, error.what()));
    return outcome;
  }
  for (const Run& run : file.runs) {
    ++outcome.ran;
    try {
      run_launch(file, run, backend, outcome);
    } catch (const BackendError& error) {
      outcome.failures.push_back(
          fmt::format("{}:{}: {}: {}", file.name, run.line, run.entry, error.what()));
    }
  }
  return outcome;
}

Outcome run_golden(const std::filesystem::path& path, Backend& backend) {
  try {
    if (path.extension() == ".ptx") return run_module(read_module_file(path), backend);
    return run_forms(read_form_file(path), backend);
  } catch (const std::exception& error) {
    return {.ran = 0, .skipped = 0, .failures = {error.what()}};
  }
}

std::vector<std::filesystem::path> golden_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".golden" || extension == ".ptx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::set<std::string> executed_opcodes(const std::filesystem::path& path) {
  std::set<std::string> found;
  if (path.extension() == ".ptx") {
    ptx::ParseError error;
    const auto module = ptx::parse(read_module_file(path).text, error);
    if (!module) throw std::runtime_error(error.message);
    for (const ptx::Function& function : module->functions) {
      for (const ptx::Instruction& instruction : function.instructions) {
        std::string name(instruction.opcode);
        for (const auto modifier : instruction.modifiers) name += fmt::format(".{}", modifier);
        found.insert(std::move(name));
      }
    }
    return found;
  }
  for (const Form& form : read_form_file(path).forms) {
    for (const Expansion& expansion : expand(form.instructions)) {
      for (std::string& name : opcodes(expansion.text)) found.insert(std::move(name));
    }
  }
  return found;
}

}  // namespace warpsim::golden
