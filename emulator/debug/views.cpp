#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>

#include "emulator/debug/session.h"
#include "emulator/findings/function_name.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"

// What a session shows of a program that stands still: threads, stacks, variables, expressions.

namespace warpsim::debug {
namespace {

/// Rows of an array that a client without paging gets.
constexpr std::uint64_t kMostChildren = 4096;

std::string lanes_text(std::uint32_t lanes) {
  if (lanes == kFullMask) return "all lanes";
  std::string text;
  for (int lane = 0; lane < kWarpSize;) {
    if (((lanes >> lane) & 1) == 0) {
      ++lane;
      continue;
    }
    int end = lane;
    while (end + 1 < kWarpSize && ((lanes >> (end + 1)) & 1) != 0) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", lane);
    if (end != lane) text += fmt::format("-{}", end);
    lane = end + 1;
  }
  return (std::popcount(lanes) == 1 ? "lane " : "lanes ") + text;
}

std::string waits_for(WarpSplit::State state) {
  switch (state) {
    case WarpSplit::State::ready:
      return "at";
    case WarpSplit::State::at_barrier:
      return "waits at the barrier";
    case WarpSplit::State::at_warp_sync:
      return "waits for lanes of its warp at";
    case WarpSplit::State::at_mbarrier:
      return "waits for an mbarrier at";
    case WarpSplit::State::at_cluster_barrier:
      return "waits at the cluster's barrier";
  }
  return {};
}

std::string short_place(const Place& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

std::string frame_name(const Place& place, const Thread& thread, bool first, std::uint32_t lanes) {
  std::string name(bare_name(place.function));
  if (first && lanes != kFullMask) name += fmt::format(" [{}]", lanes_text(lanes));
  static_cast<void>(thread);
  return name;
}

}  // namespace

const Inst& Session::instruction_of(const WarpSplit& split) {
  return split.state == WarpSplit::State::at_barrier ? split.pc[-1] : *split.pc;
}

const WarpSplit* Session::shown_split(const WarpContext& warp, bool runs, int lane) {
  if (warp.splits.empty()) return nullptr;
  if (runs) return &warp.splits[std::min(warp.current, warp.splits.size() - 1)];
  for (const WarpSplit& split : warp.splits) {
    if (((split.mask >> lane) & 1) != 0) return &split;
  }
  return &warp.splits.front();
}

WarpContext& Session::warp_of(const Json& arguments) {
  const int id = arguments.at("threadId").get<int>();
  BlockContext& block = *control_.block();
  if (id < 1 || static_cast<std::size_t>(id) > block.warps.size()) {
    throw RequestError(
        fmt::format("there is no warp {}; the block has {}", id - 1, block.warps.size()));
  }
  return *block.warps[static_cast<std::size_t>(id) - 1];
}

Thread Session::focus() {
  WarpContext& warp = *focus_;
  const WarpSplit& split = *shown_split(warp, &warp == control_.stopped_warp(), control_.lane());
  return {&warp, split.frame, split.pc, control_.lane()};
}

std::string Session::state_of(const WarpContext& warp) {
  if (warp.splits.empty()) return "has ended";
  const bool runs = &warp == control_.stopped_warp();
  const WarpSplit& split = *shown_split(warp, runs, control_.lane());
  const Lines& lines = control_.lines(*split.frame->program);
  return fmt::format("{} {}", waits_for(split.state),
                     short_place(lines.places(instruction_of(split).index).front()));
}

Json Session::threads() {
  Json list = Json::array();
  if (control_.state() != Control::State::stopped) {
    const bool host = control_.state() == Control::State::host;
    list.push_back({{"id", 1}, {"name", host ? "host code (not debugged)" : "the kernel runs"}});
    return {{"threads", list}};
  }
  BlockContext& block = *control_.block();
  const auto add = [&](bool ended) {
    for (const auto& warp : block.warps) {
      if (warp->splits.empty() != ended) continue;
      list.push_back(
          {{"id", warp->warp.warp_index + 1},
           {"name", fmt::format("{} warp {}: {}", describe_block(*control_.launch(), block.linear),
                                warp->warp.warp_index, state_of(*warp))}});
    }
  };
  add(false);
  add(true);
  return {{"threads", list}};
}

std::vector<Session::StackFrame> Session::stack_of(WarpContext& warp) {
  std::vector<StackFrame> stack;
  const bool runs = &warp == control_.stopped_warp();
  const WarpSplit* split = shown_split(warp, runs, control_.lane());
  if (split == nullptr) return stack;
  const Inst* at = &instruction_of(*split);
  for (const Frame* frame = split->frame; frame != nullptr; frame = frame->parent) {
    for (Place& place : control_.lines(*frame->program).places(at->index)) {
      stack.push_back({&warp, frame, at, split->mask, std::move(place)});
    }
    if (frame->return_to != nullptr) at = frame->return_to - 1;
  }
  return stack;
}

Json Session::stack_trace(const Json& arguments) {
  require_stop();
  WarpContext& warp = warp_of(arguments);
  const std::vector<StackFrame> stack = stack_of(warp);
  Json list = Json::array();
  bool first = true;
  for (const StackFrame& frame : stack) {
    frames_.push_back(frame);
    const Program& program = *frame.frame->program;
    const bool known = control_.lines(program).known();
    Json json = {
        {"id", frames_.size()},
        {"name", frame_name(frame.place, {}, first, frame.lanes)},
        {"line", frame.place.line},
        {"column", frame.place.column},
        {"instructionPointerReference", fmt::format("{}:{}", program.id, frame.at->index)}};
    const std::filesystem::path path(frame.place.file);
    std::error_code ignored;
    if (known && std::filesystem::exists(path, ignored)) {
      // Editors compare paths as text, and compilers record "build/../vecadd.cu".
      const auto normal = std::filesystem::absolute(path, ignored).lexically_normal();
      json["source"] = {{"name", path.filename().string()}, {"path", normal.string()}};
    } else {
      // Without lines, or without the file: the PTX.
      const ptx::Instruction* source = program.source[frame.at->index];
      json["line"] = source == nullptr ? 1 : source->ptx_line;
      json["column"] = 0;
      json["source"] = {{"name", known ? path.filename().string() + " (not found): PTX"
                                       : "PTX (compile with -lineinfo or -G for source lines)"},
                        {"sourceReference", program.id + 1}};
    }
    list.push_back(std::move(json));
    first = false;
  }
  // The other lanes of the warp, where they are.
  if (!stack.empty()) {
    for (const WarpSplit& split : warp.splits) {
      if ((split.mask & stack.front().lanes) != 0) continue;
      const Place place =
          control_.lines(*split.frame->program).places(instruction_of(split).index).front();
      frames_.push_back({&warp, split.frame, &instruction_of(split), split.mask, place});
      list.push_back({{"id", frames_.size()},
                      {"name", fmt::format("{}: {} {}", lanes_text(split.mask),
                                           waits_for(split.state), short_place(place))},
                      {"line", place.line},
                      {"column", 0},
                      {"presentationHint", "label"}});
    }
  }
  const std::size_t total = list.size();
  return {{"stackFrames", std::move(list)}, {"totalFrames", total}};
}

Thread Session::thread_of(const Json& arguments) {
  const int id = arguments.value("frameId", 0);
  if (id == 0) return focus();
  if (id < 0 || static_cast<std::size_t>(id) > frames_.size()) {
    throw RequestError("this frame belongs to an earlier stop");
  }
  const StackFrame& frame = frames_[static_cast<std::size_t>(id) - 1];
  int lane = control_.lane();
  if (((frame.lanes >> lane) & 1) == 0) lane = std::countr_zero(frame.lanes);
  return {frame.warp, frame.frame, frame.at, lane};
}

int Session::add(Group group) {
  groups_.push_back(std::move(group));
  return static_cast<int>(groups_.size());
}

Json Session::scopes(const Json& arguments) {
  require_stop();
  const Thread thread = thread_of(arguments);
  std::uint32_t lanes = kFullMask;
  if (const int id = arguments.value("frameId", 0); id > 0) {
    lanes = frames_[static_cast<std::size_t>(id) - 1].lanes;
  }
  Json list = Json::array();
  const auto scope = [&](const char* name, Group::Kind kind, bool expensive) {
    list.push_back(
        {{"name", name},
         {"variablesReference",
          add({.kind = kind, .thread = thread, .lanes = lanes, .value = {}, .expression = {}})},
         {"expensive", expensive}});
  };
  const bool debug = !names(thread).info.empty();
  if (debug) scope("Locals", Group::Kind::locals, false);
  scope("Parameters", Group::Kind::parameters, false);
  scope("Shared arrays", Group::Kind::shared, false);
  scope("Built-in variables", Group::Kind::built_ins, false);
  scope("Across lanes", Group::Kind::across, true);
  scope("Global memory", Group::Kind::globals, true);
  scope("PTX registers", Group::Kind::registers, true);
  list.front()["presentationHint"] = "locals";
  list.back()["presentationHint"] = "registers";
  return {{"scopes", list}};
}

std::vector<Named> Session::names_of(Group::Kind kind, const Thread& thread) {
  switch (kind) {
    case Group::Kind::locals:
      return locals(names(thread), thread);
    case Group::Kind::parameters:
      return parameters(names(thread), thread);
    case Group::Kind::shared:
      return shared_arrays(names(thread), thread);
    case Group::Kind::globals:
      return allocations(types_, thread);
    case Group::Kind::built_ins:
      return built_ins(types_, thread);
    default:
      return registers(types_, thread);
  }
}

Names Session::names(const Thread& thread) {
  const LoadedModule& module = *thread.frame->program->module;
  auto& info = infos_[&module];
  if (info == nullptr) info = std::make_unique<DebugInfo>(module.ptx, types_);
  return {types_, *info};
}

Json Session::variable(const Thread& thread, const std::string& name, const Value& value,
                       const std::string& expression) {
  Json json = {{"name", name}, {"variablesReference", 0}};
  json["value"] = show(thread, value);
  if (value.type != nullptr) json["type"] = value.type->name;
  if (!expression.empty()) json["evaluateName"] = expression;
  if (!value.problem.empty() || value.type == nullptr) return json;
  const Type& type = *value.type;
  std::uint64_t elements = 0;
  if (type.kind == Type::Kind::array) elements = type.count;
  if (type.kind == Type::Kind::pointer && type.target->size != 0) {
    const Bytes bytes = read(thread, value);
    if (bytes.problem.empty() && bytes.initialized && bytes.data.size() == 8) {
      elements =
          elements_from(thread, generic_address(target_of(thread, value, 0)), type.target->size);
    }
  }
  const bool has_children =
      elements != 0 || (type.kind == Type::Kind::structure && !type.members.empty());
  if (has_children) {
    json["variablesReference"] = add({.kind = Group::Kind::value,
                                      .thread = thread,
                                      .lanes = 0,
                                      .value = value,
                                      .expression = expression});
    if (elements != 0) json["indexedVariables"] = elements;
  }
  if (value.in_memory) json["memoryReference"] = fmt::format("{:#x}", generic_address(value));
  return json;
}

Json Session::children(const Group& group, std::uint64_t start, std::uint64_t count) {
  Json list = Json::array();
  const Type& type = *group.value.type;
  if (type.kind == Type::Kind::structure) {
    for (const Type::Member& member : type.members) {
      list.push_back(variable(group.thread, member.name, member_of(group.value, member),
                              group.expression + "." + member.name));
    }
    return list;
  }
  std::uint64_t elements = type.count;
  if (type.kind == Type::Kind::pointer) {
    elements = elements_from(group.thread, generic_address(target_of(group.thread, group.value, 0)),
                             type.target->size);
  }
  const std::uint64_t first = std::min(start, elements);
  const std::uint64_t rows =
      std::min({count == 0 ? kMostChildren : count, kMostChildren, elements - first});
  for (std::uint64_t i = first; i < first + rows; ++i) {
    const Value element = type.kind == Type::Kind::array
                              ? element_of(group.value, i)
                              : target_of(group.thread, group.value, static_cast<std::int64_t>(i));
    list.push_back(variable(group.thread, fmt::format("[{}]", i), element,
                            fmt::format("{}[{}]", group.expression, i)));
  }
  return list;
}

/// One row per name: whether the lanes agree, and between which values they are.
Json Session::across(const Group& group) {
  Json list = Json::array();
  std::vector<Named> all = locals(names(group.thread), group.thread);
  for (Named& named : parameters(names(group.thread), group.thread))
    all.push_back(std::move(named));
  for (Named& named : built_ins(types_, group.thread)) {
    if (named.name == "threadIdx" || named.name == "lane") all.push_back(std::move(named));
  }
  for (Named& named : registers(types_, group.thread)) all.push_back(std::move(named));
  for (const Named& named : all) {
    Group lanes = group;
    lanes.kind = Group::Kind::lanes;
    lanes.expression = named.name;
    list.push_back({{"name", named.name},
                    {"type", named.value.type == nullptr ? "" : named.value.type->name},
                    {"value", ""},
                    {"variablesReference", add(lanes)},
                    {"indexedVariables", kWarpSize}});
    std::set<std::string> values;
    for_lanes(group.lanes, [&](std::size_t lane) {
      Thread thread = group.thread;
      thread.lane = static_cast<int>(lane);
      values.insert(show(thread, value_of(thread, named.name)));
    });
    list.back()["value"] = values.size() == 1 ? *values.begin() + " in all lanes"
                                              : fmt::format("{} values", values.size());
  }
  return list;
}

Json Session::in_lanes(const Group& group) {
  Json list = Json::array();
  for (int lane = 0; lane < kWarpSize; ++lane) {
    Thread thread = group.thread;
    thread.lane = lane;
    const bool active = ((group.lanes >> lane) & 1) != 0;
    Json row = variable(thread, fmt::format("[{}]", lane), value_of(thread, group.expression), {});
    if (!active) row["value"] = row["value"].get<std::string>() + " (inactive)";
    list.push_back(std::move(row));
  }
  return list;
}

Json Session::variables(const Json& arguments) {
  require_stop();
  const int reference = arguments.at("variablesReference").get<int>();
  if (reference < 1 || static_cast<std::size_t>(reference) > groups_.size()) {
    throw RequestError("these variables belong to an earlier stop");
  }
  const Group group = groups_[static_cast<std::size_t>(reference) - 1];
  Json list = Json::array();
  switch (group.kind) {
    case Group::Kind::value:
      list = children(group, arguments.value("start", std::uint64_t{0}),
                      arguments.value("count", std::uint64_t{0}));
      break;
    case Group::Kind::across:
      list = across(group);
      break;
    case Group::Kind::lanes:
      list = in_lanes(group);
      break;
    default:
      for (const Named& named : names_of(group.kind, group.thread)) {
        list.push_back(variable(group.thread, named.name, named.value,
                                group.kind == Group::Kind::globals ? std::string() : named.name));
      }
  }
  return {{"variables", list}};
}

// -- expressions ----------------------------------------------------------------------------------

Lookup Session::lookup(const Thread& thread) {
  return [this, thread](std::string_view name) { return find_named(names(thread), thread, name); };
}

Value Session::value_of(const Thread& thread, std::string_view expression) {
  return evaluate(types_, thread, lookup(thread), expression);
}

Json Session::evaluate_request(const Json& arguments) {
  require_stop();
  std::string text = arguments.at("expression").get<std::string>();
  if (arguments.value("context", "") == "repl") {
    bool handled = false;
    const std::string answer = console(text, handled);
    if (handled) return {{"result", answer}, {"variablesReference", 0}};
  }
  Thread thread = thread_of(arguments);
  // `expression @lane 5`, `expression @block (3,0,0)`, or both
  for (std::size_t at = text.rfind('@'); at != text.npos; at = text.rfind('@')) {
    thread = elsewhere(thread, text.substr(at + 1));
    text.resize(at);
  }
  const Value value = value_of(thread, text);
  Json row = variable(thread, text, value, text);
  Json body = {{"result", row["value"]}, {"variablesReference", row["variablesReference"]}};
  for (const char* key : {"type", "indexedVariables", "memoryReference"}) {
    if (row.contains(key)) body[key] = row[key];
  }
  return body;
}

// -- PTX ------------------------------------------------------------------------------------------

Json Session::source(const Json& arguments) {
  const Json& of = arguments.contains("source") ? arguments["source"] : arguments;
  const auto reference = of.value("sourceReference", 0u);
  if (control_.launch() != nullptr) {
    for (const StackFrame& frame : frames_) {
      if (frame.frame->program->id + 1 != reference) continue;
      return {{"content", *frame.frame->program->module->ptx.text}, {"mimeType", "text/plain"}};
    }
  }
  throw RequestError("this source belongs to an earlier stop");
}

Json Session::disassemble(const Json& arguments) {
  require_stop();
  const std::string at = arguments.at("memoryReference").get<std::string>();
  const std::size_t colon = at.find(':');
  const Program* program = nullptr;
  for (const StackFrame& frame : frames_) {
    if (colon != at.npos && std::to_string(frame.frame->program->id) == at.substr(0, colon)) {
      program = frame.frame->program;
    }
  }
  if (program == nullptr) throw RequestError("this function is on no stack of this stop");
  const std::int64_t first =
      std::atoll(at.c_str() + colon + 1) + arguments.value("instructionOffset", std::int64_t{0});
  const auto count =
      std::min<std::int64_t>(arguments.value("instructionCount", std::int64_t{0}), 10000);
  Json list = Json::array();
  for (std::int64_t i = first; i < first + count; ++i) {
    const bool inside = i >= 0 && static_cast<std::size_t>(i) < program->source.size();
    Json row = {
        {"address", fmt::format("{}:{}", program->id, i)},
        {"instruction", inside ? instruction_text(*program, static_cast<std::size_t>(i)) : ""}};
    if (!inside) row["presentationHint"] = "invalid";
    list.push_back(std::move(row));
  }
  return {{"instructions", list}};
}

}  // namespace warpsim::debug
