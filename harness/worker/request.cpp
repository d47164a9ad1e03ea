#include "harness/worker/request.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace warpgrade::worker {

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 5> kPlaces = {"host", "device", "pinned", "mapped",
                                                     "managed"};
constexpr std::size_t kLargestElement = 4096;  // bytes
constexpr std::size_t kLargest = std::size_t{1} << 40U;  // bytes of one array

std::vector<std::byte> from_hex(const std::string& text) {
  if (text.empty() || text.size() % 2 != 0) throw RequestError("a scalar is not whole bytes");
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

Argument read_array(std::istringstream& words) {
  Argument argument;
  std::string role;
  std::string memory;
  std::string poison;
  words >> argument.name >> role >> memory >> argument.element_size >> argument.count >>
      argument.offset >> poison >> argument.input_file >> argument.output_file;
  if (!words) throw RequestError("an array line is too short");
  if (role != "input" && role != "output" && role != "inout") throw RequestError("unknown role");
  const auto place = std::find(kPlaces.begin(), kPlaces.end(), memory);
  if (place == kPlaces.end()) throw RequestError("unknown memory");
  const std::size_t size = argument.element_size;
  if (size == 0 || size > kLargestElement || argument.count > kLargest / size ||
      argument.offset > kLargest) {
    throw RequestError("an array is too large");
  }
  argument.is_input = role != "output";
  argument.is_output = role != "input";
  argument.memory = static_cast<ArrayPlace>(place - kPlaces.begin());
  if (role == "output") {
    argument.poison = from_hex(poison);
    if (argument.poison.size() != size) throw RequestError("the poison is not one element");
  }
  return argument;
}

void read_line(Request& request, const std::string& line) {
  std::istringstream words(line);
  std::string key;
  words >> key;
  if (key == "nonce") {
    words >> request.nonce;
  } else if (key == "record") {
    words >> request.record;
  } else if (key == "first") {
    words >> request.first;
  } else if (key == "timed") {
    TimedCalls timed;
    std::string clock;
    words >> timed.turns >> clock;
    if (!words || (clock != "both" && clock != "events")) {
      throw RequestError("a timed line names the file of turns and the clocks");
    }
    timed.host_clock_counts = clock == "both";
    unsigned processor = 0;
    if (words >> processor) timed.processor = processor;
    request.timed = std::move(timed);
  } else if (key == "scalar") {
    Argument argument;
    std::string hex;
    words >> argument.name >> hex;
    argument.scalar = from_hex(hex);
    request.arguments.push_back(std::move(argument));
  } else if (key == "stream") {
    Argument argument;
    words >> argument.name;
    argument.is_stream = true;
    request.arguments.push_back(std::move(argument));
  } else if (key == "array") {
    request.arguments.push_back(read_array(words));
  } else {
    throw RequestError("unknown key '" + key + "'");
  }
}

}  // namespace

Turn read_turn(const std::string& line, std::size_t inputs) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  if (kind == "stop") return {};
  Turn turn;
  if (kind == "save") {
    turn.kind = Turn::Kind::save;
    return turn;
  }
  if (kind != "warm" && kind != "run") throw RequestError("unknown turn '" + kind + "'");
  turn.kind = kind == "warm" ? Turn::Kind::warm : Turn::Kind::run;
  for (std::size_t window = 0; words >> window;) turn.windows.push_back(window);
  if (turn.windows.size() != inputs) throw RequestError("a turn needs a window for each input");
  return turn;
}

Request read_request(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw RequestError("cannot open the request " + file);
  Request request;
  const std::size_t slash = file.rfind('/');
  request.folder = slash == std::string::npos ? "." : file.substr(0, slash);
  std::string line;
  if (!std::getline(in, line) || line != "warpgrade-request 1") {
    throw RequestError(file + ":1: not a request of version 1");
  }
  for (int number = 2; std::getline(in, line); ++number) {
    if (line == "end") return request;
    try {
      read_line(request, line);
    } catch (const std::exception& error) {
      throw RequestError(file + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  throw RequestError(file + ": ends without 'end'");
}

}  // namespace warpgrade::worker
