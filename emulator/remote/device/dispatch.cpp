#include <fmt/format.h>

#include <array>
#include <string_view>

#include "emulator/cudart/abi.h"
#include "emulator/cudart/per_thread.h"
#include "emulator/cudart/runtime.h"
#include "emulator/remote/call_rules.h"
#include "emulator/remote/device/session.h"

// The functions of the API by their numbers.

// Deprecated functions are functions, too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warpsim::remote {
namespace {

std::vector<std::uint32_t> known_sizes(const void* function) {
  ParameterSizeList list;
  if (parameter_sizes(function, &list) != cudaSuccess) return {};
  return {list.bytes, list.bytes + list.count};
}

using Handler = void (*)(Reader& in, Writer& out);

template <auto kFunction>
void handle(Reader& in, Writer& out) {
  serve(kFunction, in, out, known_sizes);
}

template <auto kFunction>
void handle_per_thread(Reader& in, Writer& out) {
  const cudart::PerThreadCall here(nullptr);
  serve(kFunction, in, out, known_sizes);
}

using namespace cudart;

constexpr std::array<Handler, static_cast<std::size_t>(CallNumber::count)> kHandlers = {
#define WARPSIM_HANDLER(name, ...) Handler{&handle<&name>},
#define WARPSIM_HANDLER_OF_TWIN(name, suffix) \
  Handler{&handle<&name>}, Handler{&handle_per_thread<&name>},
    WARPSIM_CALLS(WARPSIM_HANDLER, WARPSIM_HANDLER_OF_TWIN) WARPSIM_ABI_CALLS(WARPSIM_HANDLER)
        WARPSIM_SPECIAL_CALLS(WARPSIM_HANDLER)
#undef WARPSIM_HANDLER
#undef WARPSIM_HANDLER_OF_TWIN
};
static_assert(kHandlers.back() != nullptr, "one per call");

}  // namespace

bool is_launch(std::uint32_t number) {
  const auto call = static_cast<CallNumber>(number);
  return call == CallNumber::launch || call == CallNumber::cudaGraphLaunch ||
         call == CallNumber::cudaGraphLaunch_ptsz;
}

bool can_be_done_meanwhile(std::uint32_t number) {
  switch (static_cast<CallNumber>(number)) {
    case CallNumber::__cudaGetKernel:
    case CallNumber::launch:
    case CallNumber::parameter_sizes:
    case CallNumber::looked_at_error:
    case CallNumber::cudaEventCreate:
    case CallNumber::cudaEventCreateWithFlags:
    case CallNumber::cudaEventQuery:
    case CallNumber::cudaEventRecord:
    case CallNumber::cudaEventRecord_ptsz:
    case CallNumber::cudaGetDevice:
    case CallNumber::cudaGetLastError:
    case CallNumber::cudaLaunchHostFunc:
    case CallNumber::cudaLaunchHostFunc_ptsz:
    case CallNumber::cudaMemcpyAsync:
    case CallNumber::cudaMemcpyAsync_ptsz:
    case CallNumber::cudaMemsetAsync:
    case CallNumber::cudaMemsetAsync_ptsz:
    case CallNumber::cudaPeekAtLastError:
    case CallNumber::cudaSetDevice:
    case CallNumber::cudaStreamCreate:
    case CallNumber::cudaStreamCreateWithFlags:
    case CallNumber::cudaStreamQuery:
    case CallNumber::cudaStreamQuery_ptsz:
      return true;
    default:
      return false;  // it waits for the device, or is not needed now
  }
}

namespace {

constexpr std::array<std::string_view, kHandlers.size()> kNames = {
#define WARPSIM_NAME(name, ...) #name,
#define WARPSIM_NAME_OF_TWIN(name, suffix) #name, #name,
    WARPSIM_CALLS(WARPSIM_NAME, WARPSIM_NAME_OF_TWIN) WARPSIM_ABI_CALLS(WARPSIM_NAME)
        WARPSIM_SPECIAL_CALLS(WARPSIM_NAME)
#undef WARPSIM_NAME
#undef WARPSIM_NAME_OF_TWIN
};

CallState state_now() {
  const Runtime* runtime = Runtime::existing();
  if (runtime == nullptr) return CallState::before;
  switch (runtime->announced.state()) {
    case AnnouncedCall::State::none:
      return CallState::before;
    case AnnouncedCall::State::running:
      return session().finished() ? CallState::finished : CallState::open;
    case AnnouncedCall::State::over:
      return session().finished() ? CallState::finished : CallState::over;
  }
  return CallState::finished;
}

}  // namespace

void dispatch(std::uint32_t number, Reader& in, Writer& out) {
  if (number >= kHandlers.size()) throw ProtocolError("made a call that does not exist");
  if (const CallState state = state_now(); !is_legal(number, state)) {
    throw ProtocolError(fmt::format("called {} {}", kNames[number], words_of(state)));
  }
  kHandlers[number](in, out);
}

}  // namespace warpsim::remote
