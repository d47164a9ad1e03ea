#include "emulator/remote/device/remote_program.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/remote/device/shared_arena.h"

namespace warpsim::remote {
namespace {

using cudart::Frames;
using cudart::LoadedObject;
using cudart::PageProtection;

constexpr std::size_t kMostLibraries = 4096;
constexpr std::uint64_t kMostCodeBytes = std::uint64_t{512} << 20;  // of all units

/// Reads an answer. One that is not as it should be ends the session: an exception would come out
/// of the call that asked, as an error of the emulator's.
template <class Read>
auto read_answer(Session& session, std::span<const std::byte> answer, Read read) {
  try {
    Reader in(answer);
    return read(in);
  } catch (const ProtocolError&) {
    session.end();
  }
}

class RemoteProgram : public cudart::HostProgram {
 public:
  explicit RemoteProgram(Session& session) : session_(session), arena_(session) {}

  void read(void* to, std::uint64_t address, std::size_t bytes) override {
    auto* target = static_cast<std::byte*>(to);
    for (std::size_t done = 0; done < bytes;) {
      const std::size_t part = std::min(bytes - done, kWindowBytes);
      ask_range(Request::read, address + done, part);
      std::memcpy(target + done, session_.window().data(), part);
      done += part;
    }
  }

  void write(std::uint64_t address, const void* from, std::size_t bytes) override {
    const auto* source = static_cast<const std::byte*>(from);
    for (std::size_t done = 0; done < bytes;) {
      const std::size_t part = std::min(bytes - done, kWindowBytes);
      std::memcpy(session_.window().data(), source + done, part);
      ask_range(Request::write, address + done, part);
      done += part;
    }
  }

  fatbin::Images device_code(const void* wrapper, std::uint32_t target) override {
    return read_code(Request::find_code, wrapper, target);
  }
  fatbin::Images library_code(const void* code, std::uint32_t target) override {
    return read_code(Request::find_library_code, code, target);
  }
  SharedPages& pages() override { return arena_; }

  bool catches_faults() override {
    const auto answer = session_.request(Request::catches_faults, {});
    return read_answer(session_, answer, [](Reader& in) { return in.value<std::uint8_t>() != 0; });
  }

  void protect(std::span<const PageProtection> pages) override {
    constexpr std::size_t kAtOnce = 1024;
    for (std::size_t done = 0; done < pages.size(); done += kAtOnce) {
      const auto part = pages.subspan(done, std::min(kAtOnce, pages.size() - done));
      Writer out;
      out.value(static_cast<std::uint32_t>(part.size()));
      for (const PageProtection& page : part) {
        out.value(page.begin);
        out.value(page.end);
        out.value(static_cast<std::int64_t>(page.protection));
      }
      (void)session_.request(Request::protect, out.data());
    }
  }
  /// The program's registered pages are shared ones, which are open but for what is closed here.
  bool is_ordinary(std::uint64_t, std::uint64_t) override { return true; }

  Frames frames(const void*) override {
    const auto answer = session_.request(Request::frames, {});
    return read_answer(session_, answer, [](Reader& in) {
      return Frames{.addresses = in.value<decltype(Frames::addresses)>()};
    });
  }

  std::optional<LoadedObject> object_of(const void* address) override {
    if (!Session::in_call()) return std::nullopt;
    Writer out;
    out.value(address);
    const auto answer = session_.request(Request::object, out.data());
    bool main_program = false;
    auto found = read_answer(session_, answer, [&](Reader& in) -> std::optional<LoadedObject> {
      if (in.value<std::uint8_t>() == 0) return std::nullopt;
      LoadedObject object;
      object.name = in.text();
      main_program = in.value<std::uint8_t>() != 0;
      object.file = in.text();
      object.load_address = in.value<std::uint64_t>();
      object.symbol = in.text();
      object.symbol_address = in.value<std::uint64_t>();
      return object;
    });
    // A program that is not trusted must not have other files read.
    if (found && !session_.program().empty()) {
      found->file = main_program ? session_.program() : "";
    }
    return found;
  }

  std::set<std::string> libraries() override {
    const auto answer = session_.request(Request::libraries, {});
    return read_answer(session_, answer, [](Reader& in) {
      const auto count = std::min<std::size_t>(in.value<std::uint32_t>(), kMostLibraries);
      std::set<std::string> names;
      for (std::size_t i = 0; i < count; ++i) names.insert(in.text());
      return names;
    });
  }

  void call(cudaHostFn_t function, void* user_data) override {
    Writer out;
    out.value(function);
    out.value(user_data);
    (void)session_.request(Request::call_host_function, out.data());
  }
  void call(cudaStreamCallback_t function, cudaStream_t stream, void* user_data) override {
    Writer out;
    out.value(function);
    out.value(stream);
    out.value(user_data);
    (void)session_.request(Request::call_stream_callback, out.data());
  }

  bool goes_on_meanwhile() override { return session_.go_on_meanwhile(); }

  void print(std::string_view text) override {
    while (!text.empty()) {
      const std::size_t part = std::min(text.size(), kWindowBytes);
      std::memcpy(session_.window().data(), text.data(), part);
      Writer out;
      out.value(static_cast<std::uint64_t>(part));
      (void)session_.request(Request::print, out.data());
      text.remove_prefix(part);
    }
  }

 private:
  void ask_range(Request request, std::uint64_t address, std::uint64_t bytes) {
    Writer out;
    out.value(address);
    out.value(bytes);
    (void)session_.request(request, out.data());
  }

  /// Copies the program's device code and reads it here.
  fatbin::Images read_code(Request request, const void* where, std::uint32_t target) {
    Writer out;
    out.value(where);
    const auto answer = session_.request(request, out.data());
    fatbin::Code code;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places;  // address and size
    read_answer(session_, answer, [&](Reader& in) {
      code.problem = in.text();
      code.linked = in.value<std::uint8_t>() != 0;
      std::uint64_t total = 0;
      for (auto count = in.value<std::uint32_t>(); count > 0; --count) {
        const auto address = in.value<std::uint64_t>();
        const auto bytes = in.value<std::uint64_t>();
        if (bytes > kMostCodeBytes - total) throw ProtocolError("the device code is too large");
        total += bytes;
        places.emplace_back(address, bytes);
      }
    });
    std::vector<std::vector<std::byte>> units;
    for (const auto& [address, bytes] : places) {
      units.emplace_back(bytes);
      read(units.back().data(), address, bytes);
    }
    for (const auto& unit : units) code.units.emplace_back(unit);
    return fatbin::read_fatbin(code, target);
  }

  Session& session_;
  SharedArena arena_;
};

}  // namespace

cudart::HostProgram& remote_program(Session& session) {
  static auto& program = *new RemoteProgram(session);
  return program;
}

}  // namespace warpsim::remote
