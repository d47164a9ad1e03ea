#include "emulator/recording/calls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <vector>

namespace warpsim::recording {
namespace {

// Bits of a call's flags.
constexpr std::uint32_t kPageable = 1, kBetween = 2, kWaitsForEngine = 4;
constexpr std::uint32_t kKinds = 7, kEngines = 4;  // emulator/timeline/timeline.h
constexpr std::uint32_t kMostDevices = 1024;
constexpr double kMostMs = 1e12;

/// A time: the 8 bytes of a double, so that it is exactly the one of the report.
void put_time(std::string& to, double ms) {
  const auto bits = std::bit_cast<std::uint64_t>(ms);
  for (int i = 0; i < 8; ++i) to += static_cast<char>(bits >> (8 * i));
}

double read_time(ByteReader& from, double least, double most) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 8; ++i) bits |= std::uint64_t{from.byte()} << (8 * i);
  const auto ms = std::bit_cast<double>(bits);
  // Not so for what is not a number, either.
  if (!(ms >= least && ms <= most)) throw BadRecording("the recording has an invalid time");
  return ms;
}

void put_call(std::string& to, const Call& call, std::size_t number, std::size_t name) {
  put(to, std::uint64_t{call.kind});
  put(to, name);
  put(to, std::uint64_t{call.device});
  put(to, call.stream);
  put(to, std::uint64_t{call.engine});
  const bool waits = call.ready_ms < call.begin_ms;
  put(to, std::uint64_t{(call.pageable ? kPageable : 0) | (call.between ? kBetween : 0) |
                        (waits ? kWaitsForEngine : 0)});
  if (call.between) {
    for (const std::uint32_t device : *call.between) put(to, std::uint64_t{device});
  }
  put(to, call.bytes);
  put_time(to, call.begin_ms);
  put_time(to, call.end_ms);
  if (waits) put_time(to, call.ready_ms);
  put(to, std::uint64_t{call.file});
  put(to, std::uint64_t{call.line});
  put(to, call.after.size());
  for (const std::uint32_t before : call.after) put(to, number - before);
}

Call read_call(ByteReader& from, std::uint32_t number, const std::vector<std::string>& names,
               std::uint32_t files) {
  Call call;
  call.kind = static_cast<std::uint8_t>(from.number(kKinds - 1, "kind of call"));
  const std::size_t name = from.number();
  if (name >= names.size()) throw BadRecording("the recording has an invalid name");
  call.name = names[name];
  call.device = from.number32(kMostDevices - 1, "device");
  call.stream = from.number();
  call.engine = static_cast<std::uint8_t>(from.number(kEngines - 1, "engine"));
  const std::uint32_t flags = from.number32(kPageable | kBetween | kWaitsForEngine, "flag");
  call.pageable = (flags & kPageable) != 0;
  if ((flags & kBetween) != 0) {
    call.between.emplace();
    for (std::uint32_t& device : *call.between) {
      device = from.number32(kMostDevices - 1, "device");
    }
  }
  call.bytes = from.number();
  call.begin_ms = read_time(from, 0, kMostMs);
  call.end_ms = read_time(from, call.begin_ms, kMostMs);
  call.ready_ms =
      (flags & kWaitsForEngine) != 0 ? read_time(from, 0, call.begin_ms) : call.begin_ms;
  call.file = from.number32(files, "file");
  call.line = from.number32(1u << 30, "line");
  call.after.resize(from.count("number of edges"));
  for (std::uint32_t& before : call.after) {
    const std::uint32_t distance = from.number32(number, "edge");
    if (distance == 0) throw BadRecording("the recording has an invalid edge");
    before = number - distance;
  }
  return call;
}

}  // namespace

void put(std::string& to, const Calls& calls) {
  put_time(to, calls.begin_ms);
  put_time(to, calls.end_ms);
  put_time(to, calls.overlap_ms);
  put(to, calls.left_out);
  std::vector<std::string> names;
  std::vector<std::size_t> name_of;
  for (const Call& call : calls.list) {
    const auto known = std::ranges::find(names, call.name);
    name_of.push_back(static_cast<std::size_t>(known - names.begin()));
    if (known == names.end()) names.push_back(call.name);
  }
  put(to, names.size());
  for (const std::string& name : names) put(to, std::string_view(name));
  put(to, calls.list.size());
  for (std::size_t i = 0; i < calls.list.size(); ++i) put_call(to, calls.list[i], i, name_of[i]);
}

Calls read_calls(ByteReader& from, std::uint32_t files) {
  constexpr std::size_t kLeastBytes = 26;  // of a call
  Calls calls;
  calls.begin_ms = read_time(from, 0, kMostMs);
  calls.end_ms = read_time(from, calls.begin_ms, kMostMs);
  calls.overlap_ms = read_time(from, 0, kMostMs);
  calls.left_out = from.number();
  std::vector<std::string> names(from.count("number of names"));
  for (std::string& name : names) name = from.text();
  const std::size_t count = from.count("number of calls", kLeastBytes);
  for (std::uint32_t i = 0; i < count; ++i) {
    calls.list.push_back(read_call(from, i, names, files));
  }
  return calls;
}

}  // namespace warpsim::recording
