#include <string>

#include "emulator/debug/messages.h"
#include "fuzz/input.h"

// The stream of a debugger's client: messages with a header each, which arrive in pieces. How they
// are cut must not matter.

namespace {

using namespace warpsim::debug;

/// @returns the messages, and what was refused
std::string read_in_pieces(std::string_view bytes, std::size_t piece) {
  MessageReader reader;
  std::string all;
  try {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(bytes.substr(at, piece));
      while (const auto message = reader.next()) all += framed(*message);
    }
  } catch (const BadMessage&) {
    all += "refused";
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = read_in_pieces(bytes, size == 0 ? 1 : size);
  fuzz::require(whole == read_in_pieces(bytes, 1));
  fuzz::require(whole == read_in_pieces(bytes, 7));
  return 0;
}
