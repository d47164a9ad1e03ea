#include "emulator/remote/device/remote_program.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/remote/device/shared_arena.h"
#include "emulator/remote/rows.h"

namespace warpsim::remote {
namespace {

using cudart::Box;
using cudart::Frames;
using cudart::LoadedObject;
using cudart::PageProtection;
using cudart::Side;

constexpr std::size_t kMostLibraries = 4096;
constexpr std::uint64_t kMostCodeBytes = std::uint64_t{512} << 20;  // of all units

/// Reads an answer. An invalid one ends the session, because an exception would look like an
/// internal error in the requesting call.
template <class Read>
auto read_answer(Session& session, std::span<const std::byte> answer, Read read) {
  try {
    Reader in(answer);
    return read(in);
  } catch (const ProtocolError& error) {
    session.end(error.what());
  }
}

/// Calls `part(rows of `to`, rows of `from`)` for each part that fits into the window: several
/// rows, or a part of one.
template <class Part>
void for_each_window(const Side& to, const Side& from, const Box& box, Part part) {
  if (box.empty()) return;
  const std::uint64_t width = std::min<std::uint64_t>(box.width, kWindowBytes);
  const std::uint64_t at_once = kWindowBytes / width;
  const std::uint64_t total = box.height * box.depth;
  for (std::uint64_t first = 0; first < total; first += at_once) {
    for (std::uint64_t x = 0; x < box.width; x += width) {
      const auto rows_of = [&](Side side) {
        side.address += x;
        return Rows{.side = side,
                    .width = std::min(width, box.width - x),
                    .height = box.height,
                    .first = first,
                    .count = std::min(at_once, total - first)};
      };
      part(rows_of(to), rows_of(from));
    }
  }
}

class RemoteProgram : public cudart::HostProgram {
 public:
  explicit RemoteProgram(Session& session) : session_(session), arena_(session) {}

  void read_box(const Side& to, const Side& from, const Box& box) override {
    for_each_window(to, from, box, [&](const Rows& here, const Rows& there) {
      ask_rows(Request::read, there);
      scatter(here, session_.window());
    });
  }

  void write_box(const Side& to, const Side& from, const Box& box) override {
    for_each_window(to, from, box, [&](const Rows& there, const Rows& here) {
      gather(session_.window(), here);
      ask_rows(Request::write, there);
    });
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
  /// The program's registered pages are shared ones, which are accessible unless protected here.
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
    // An untrusted program must not make this process read other files.
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

  /// Calls that come meanwhile run in the kernel's thread: other work cannot end before it.
  bool goes_on_meanwhile(bool for_host, std::uint64_t) override {
    return for_host && session_.go_on_meanwhile();
  }

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
  void ask_rows(Request request, const Rows& rows) {
    Writer out;
    out.value(rows);
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
        if (bytes > kMostCodeBytes - total)
          throw ProtocolError("sent device code that is too large");
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
