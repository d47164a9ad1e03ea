#include "emulator/remote/client/requests.h"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "emulator/cudart/frames.h"
#include "emulator/cudart/local/mappings.h"
#include "emulator/cudart/local/signals.h"
#include "emulator/fatbin/fatbin.h"
#include "emulator/remote/rows.h"

namespace warpsim::remote {
namespace {

int shared_file = -1;
thread_local const void* caller = nullptr;

void write_code(Writer& answer, const fatbin::Code& code) {
  answer.text(code.problem);
  answer.value(static_cast<std::uint8_t>(code.linked));
  answer.value(static_cast<std::uint32_t>(code.units.size()));
  for (const std::span<const std::byte> unit : code.units) {
    answer.value(reinterpret_cast<std::uint64_t>(unit.data()));
    answer.value(static_cast<std::uint64_t>(unit.size()));
  }
}

bool map_shared(std::uint64_t address, std::uint64_t bytes, int protection, std::uint64_t offset) {
  void* got = ::mmap(reinterpret_cast<void*>(address), bytes, protection, MAP_SHARED | MAP_FIXED,
                     shared_file, static_cast<off_t>(offset));
  return got != MAP_FAILED;
}

bool unmap_shared(std::uint64_t offset, std::uint64_t bytes) {
  void* got = ::mmap(reinterpret_cast<void*>(kSharedBase + offset), bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return got != MAP_FAILED;
}

/// The protection of a page; read and write if unknown.
int protection_of(std::uint64_t address) {
  for (const cudart::Mapping& mapping : cudart::mappings()) {
    if (address >= mapping.begin && address < mapping.end) return mapping.protection & ~PROT_EXEC;
  }
  return PROT_READ | PROT_WRITE;
}

/// Replaces the program's own pages by shared ones with the same contents.
bool adopt(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset) {
  const int protection = protection_of(address);
  if ((protection & PROT_READ) == 0) return false;
  if (!map_shared(kSharedBase + offset, bytes, PROT_READ | PROT_WRITE, offset)) return false;
  std::memcpy(reinterpret_cast<void*>(kSharedBase + offset), reinterpret_cast<const void*>(address),
              bytes);
  const bool done = map_shared(address, bytes, protection, offset);
  return unmap_shared(offset, bytes) && done;
}

void write_object(Writer& answer, const void* address) {
  const auto object = cudart::loaded_object(address);
  answer.value(static_cast<std::uint8_t>(object.has_value()));
  if (!object) return;
  answer.text(object->name);
  // In the device process "/proc/self/exe" is another file. The link cannot be read in a locked
  // process; the device then knows the file.
  const bool main_program = object->file == cudart::kOwnProgram;
  answer.value(static_cast<std::uint8_t>(main_program));
  std::error_code ignored;
  answer.text(main_program ? std::filesystem::read_symlink(object->file, ignored).string()
                           : object->file);
  answer.value(object->load_address);
  answer.text(object->symbol);
  answer.value(object->symbol_address);
}

struct Protection {
  std::uint64_t begin, end;
  std::int64_t protection;
};

}  // namespace

void set_shared_file(int file) {
  shared_file = file;
}

const void* exchange_caller(const void* return_address) {
  return std::exchange(caller, return_address);
}

void do_request(Request request, std::span<const std::byte> bytes, std::span<std::byte> window,
                Writer& answer) {
  Reader in(bytes);
  switch (request) {
    case Request::read:
      return gather(window, in.value<Rows>());
    case Request::write:
      return scatter(in.value<Rows>(), window);
    case Request::find_code:
      return write_code(answer, fatbin::find_code(in.value<const void*>()));
    case Request::find_library_code:
      return write_code(answer, fatbin::find_library_code(in.value<const void*>()));
    case Request::map_shared: {
      const auto offset = in.value<std::uint64_t>();
      const auto size = in.value<std::uint64_t>();
      const bool done = map_shared(kSharedBase + offset, size, PROT_READ | PROT_WRITE, offset);
      return answer.value(static_cast<std::uint8_t>(done));
    }
    case Request::unmap_shared: {
      const auto offset = in.value<std::uint64_t>();
      const bool done = unmap_shared(offset, in.value<std::uint64_t>());
      return answer.value(static_cast<std::uint8_t>(done));
    }
    case Request::adopt: {
      const auto address = in.value<std::uint64_t>();
      const auto size = in.value<std::uint64_t>();
      const bool done = adopt(address, size, in.value<std::uint64_t>());
      return answer.value(static_cast<std::uint8_t>(done));
    }
    case Request::catches_faults:
      return answer.value(static_cast<std::uint8_t>(cudart::catches_faults()));
    case Request::protect: {
      for (auto count = in.value<std::uint32_t>(); count > 0; --count) {
        const auto pages = in.value<Protection>();
        ::mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin,
                   static_cast<int>(pages.protection));
      }
      return;
    }
    case Request::frames:
      return answer.value(cudart::capture_frames(caller).addresses);
    case Request::object:
      return write_object(answer, in.value<const void*>());
    case Request::libraries: {
      const auto names = cudart::loaded_libraries();
      answer.value(static_cast<std::uint32_t>(names.size()));
      for (const std::string& name : names) answer.text(name);
      return;
    }
    case Request::call_host_function: {
      const auto function = in.value<cudaHostFn_t>();
      return function(in.value<void*>());
    }
    case Request::call_stream_callback: {
      const auto function = in.value<cudaStreamCallback_t>();
      const auto stream = in.value<cudaStream_t>();
      return function(stream, cudaSuccess, in.value<void*>());
    }
    case Request::print:
      std::fwrite(window.data(), 1, in.value<std::uint64_t>(), stdout);
      std::fflush(stdout);
      return;
  }
}

}  // namespace warpsim::remote
