#include "emulator/report/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "emulator/changes/changes.h"
#include "emulator/checkers/list.h"

namespace warpsim {
namespace {

constexpr auto kChecks = std::to_array<CheckName>({
    {"bounds", &CheckOptions::bounds},
    {"uninitialized", &CheckOptions::unwritten, "unwritten"},
    {"races", &CheckOptions::races},
    {"read-only", &CheckOptions::read_only, "read_only"},
    {"barriers", &CheckOptions::barriers},
    {"leaks", &CheckOptions::leaks},
    {"counters", &CheckOptions::counters},
    {"cache", &CheckOptions::cache},
});

CheckOptions every_check(bool on) {
  CheckOptions checks;
  for (const CheckName& check : kChecks) checks.*check.member = on;
  return checks;
}

/// Switches on a checker that runs only where it is named. @returns false when there is none
bool request(std::string_view name, CheckOptions& checks) {
  const auto list = all_checkers();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].option != nullptr || list[i].name != name) continue;
    checks.requested |= 1u << i;
    return true;
  }
  return false;
}

/// A number of `Value` type or an error that names the variable.
template <class Value>
Value parse_number(const char* name, const char* text, std::string& error) {
  Value value = 0;
  const char* end = text + std::strlen(text);
  const auto result = std::from_chars(text, end, value);
  if (result.ec != std::errc{} || result.ptr != end) {
    error = fmt::format("{}='{}' is not a number between {} and {}", name, text,
                        std::numeric_limits<Value>::min(), std::numeric_limits<Value>::max());
  }
  return value;
}

bool is_on(const char* text) {
  return std::strcmp(text, "") != 0 && std::strcmp(text, "0") != 0;
}

}  // namespace

std::span<const CheckName> check_names() {
  return kChecks;
}

std::vector<std::string_view> checks_on_request() {
  std::vector<std::string_view> names;
  for (const CheckerEntry& entry : all_checkers()) {
    if (entry.option == nullptr) names.push_back(entry.name);
  }
  return names;
}

std::optional<CheckOptions> parse_checks(std::string_view list, std::string& error) {
  if (list == "none") return every_check(false);
  CheckOptions checks = every_check(false);
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (name == "all") {
      const std::uint32_t requested = checks.requested;
      checks = every_check(true);
      checks.requested = requested;
      continue;
    }
    if (request(name, checks)) continue;
    const auto found = std::ranges::find_if(
        kChecks, [&](const CheckName& check) { return name == check.name || name == check.key; });
    if (found == kChecks.end()) {
      std::vector<std::string_view> names;
      for (const CheckName& check : kChecks) names.push_back(check.name);
      for (const std::string_view other : checks_on_request()) names.push_back(other);
      error = fmt::format("unknown check '{}'; known: all, none, {}", name, fmt::join(names, ", "));
      return std::nullopt;
    }
    checks.*found->member = true;
    if (checks.cache) checks.counters = true;
  }
  return checks;
}

std::optional<DiagnosticFormat> parse_format(std::string_view name, std::string& error) {
  constexpr auto kNames = names_of(DiagnosticFormat{});
  const auto* const found = std::ranges::find(kNames, name);
  if (found != kNames.end()) return static_cast<DiagnosticFormat>(found - kNames.begin());
  error = fmt::format("unknown format '{}'; known: {}", name, fmt::join(kNames, ", "));
  return std::nullopt;
}

const Card* parse_card(std::string_view id, std::string& error) {
  const Card* card = find_card(id);
  if (card == nullptr) {
    std::vector<std::string_view> ids;
    for (const Card& known : all_cards()) ids.push_back(known.id);
    error = fmt::format("unknown card '{}'; known: {}", id, fmt::join(ids, ", "));
  }
  return card;
}

Settings read_settings(const std::function<const char*(const char*)>& variable,
                       std::string& error) {
  Settings settings;
  const auto with = [&](const char* name, const auto& use) {
    if (const char* text = variable(name); text != nullptr && error.empty()) use(name, text);
  };
  with("WARPSIM_CARD", [&](const char*, const char* text) {
    if (const Card* card = parse_card(text, error)) settings.card = card;
  });
  with("WARPSIM_DEVICES", [&](const char* name, const char* text) {
    const auto count = parse_number<std::uint8_t>(name, text, error);
    if (count < 1 || count > kMostDevices) {
      error =
          fmt::format("{}='{}' is not a number of devices from 1 to {}", name, text, kMostDevices);
    }
    settings.devices = count;
  });
  with("WARPSIM_CHECK", [&](const char*, const char* text) {
    if (const auto checks = parse_checks(text, error)) settings.machine.checks = *checks;
  });
  with("WARPSIM_SEED", [&](const char* name, const char* text) {
    settings.machine.seed = parse_number<std::uint64_t>(name, text, error);
  });
  with("WARPSIM_JIT", [&](const char* name, const char* text) {
    const std::string_view value = text;
    if (value == "on") {
      settings.native_threshold = Settings::kNativeThreshold;
    } else if (value == "off") {
      settings.native_threshold = 0;
    } else {
      settings.native_threshold = parse_number<std::uint32_t>(name, text, error);
    }
  });
  with("WARPSIM_THREADS", [&](const char* name, const char* text) {
    settings.machine.host_threads = parse_number<unsigned>(name, text, error);
  });
  with("WARPSIM_BUDGET", [&](const char* name, const char* text) {
    settings.machine.instruction_budget = parse_number<std::uint64_t>(name, text, error);
  });
  with("WARPSIM_ERROR_EXITCODE", [&](const char* name, const char* text) {
    settings.error_exitcode = parse_number<std::uint8_t>(name, text, error);
  });
  with("WARPSIM_JSON", [&](const char*, const char* text) { settings.json_path = text; });
  with("WARPSIM_FORMAT", [&](const char*, const char* text) {
    if (const auto format = parse_format(text, error)) settings.format = *format;
  });
  with("WARPSIM_OUTPUT", [&](const char*, const char* text) { settings.output_path = text; });
  with("WARPSIM_TRACE", [&](const char*, const char* text) { settings.trace_path = text; });
  with("WARPSIM_RECORD", [&](const char*, const char* text) { settings.record_path = text; });
  with("WARPSIM_RECORD_WHAT", [&](const char*, const char* text) {
    if (auto selection = recording::parse_selection(text, error)) settings.record = *selection;
  });
  with("WARPSIM_PROGRESS", [&](const char*, const char* text) { settings.progress_path = text; });
  with("WARPSIM_SOURCES", [&](const char*, const char* text) {
    settings.machine.source_folder = text;
    if (!settings.machine.source_folder.ends_with('/')) settings.machine.source_folder += '/';
  });
  with("WARPSIM_QUIET", [&](const char*, const char* text) { settings.quiet = is_on(text); });
  with("WARPSIM_COUNTERS", [&](const char*, const char* text) { settings.counters = is_on(text); });
  with("WARPSIM_LINES", [&](const char*, const char* text) { settings.lines = is_on(text); });
  with("WARPSIM_INSTRUCTIONS",
       [&](const char*, const char* text) { settings.machine.by_instruction = is_on(text); });
  with("WARPSIM_PTXAS",
       [&](const char*, const char* text) { settings.machine.ask_ptxas = is_on(text); });
  with("WARPSIM_DATA_FLOW",
       [&](const char*, const char* text) { settings.follows_data = is_on(text); });
  with("WARPSIM_CHANGE", [&](const char*, const char* text) {
    std::string why;
    if (auto changes = parse_changes(text, why); !changes) {
      error = "WARPSIM_CHANGE: " + why;
    } else if (!changes->empty()) {
      settings.machine.changes = std::make_shared<Changes>(std::move(*changes));
    }
  });
  with("WARPSIM_IDLE", [&](const char*, const char* text) { settings.idle = is_on(text); });
  with("WARPSIM_DECOY", [&](const char*, const char* text) { settings.decoy_path = text; });
  with("WARPSIM_CALL_OUTPUTS",
       [&](const char*, const char* text) { settings.call_outputs_path = text; });
  with("WARPSIM_REPLAY", [&](const char*, const char* text) { settings.replay_path = text; });
  with("CUDA_LAUNCH_BLOCKING",
       [&](const char*, const char* text) { settings.launch_blocking = is_on(text); });
  return settings;
}

}  // namespace warpsim
