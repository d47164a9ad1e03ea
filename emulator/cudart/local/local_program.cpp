#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>

#include "emulator/cudart/host_program.h"
#include "emulator/cudart/local/mappings.h"
#include "emulator/cudart/local/overlap.h"
#include "emulator/cudart/local/process.h"
#include "emulator/cudart/local/signals.h"

// The program is in this process.

namespace warpsim::cudart {
namespace {

class LocalProgram : public HostProgram {
 public:
  void read_box(const Side& to, const Side& from, const Box& box) override {
    copy_box(to, from, box);
  }
  void write_box(const Side& to, const Side& from, const Box& box) override {
    copy_box(to, from, box);
  }
  fatbin::Images device_code(const void* wrapper, std::uint32_t target) override {
    return fatbin::read_fatbin(fatbin::find_code(wrapper), target);
  }
  fatbin::Images library_code(const void* code, std::uint32_t target) override {
    return fatbin::read_fatbin(fatbin::find_library_code(code), target);
  }
  SharedPages& pages() override { return private_pages(); }

  bool catches_faults() override { return cudart::catches_faults(); }
  void protect(std::span<const PageProtection> pages) override {
    for (const PageProtection& page : pages) {
      if (page.begin >= page.end) continue;
      ::mprotect(reinterpret_cast<void*>(page.begin), page.end - page.begin, page.protection);
    }
  }
  bool is_ordinary(std::uint64_t begin, std::uint64_t end) override {
    for (const Mapping& mapping : mappings()) {
      if (mapping.end <= begin || mapping.begin > begin || begin >= end) continue;
      if (mapping.protection != (PROT_READ | PROT_WRITE)) return false;
      begin = mapping.end;
    }
    return begin >= end;
  }

  Frames frames(const void* return_address) override { return capture_frames(return_address); }
  std::optional<LoadedObject> object_of(const void* address) override {
    return loaded_object(address);
  }
  std::set<std::string> libraries() override { return loaded_libraries(); }

  void call(cudaHostFn_t function, void* user_data) override { function(user_data); }
  void call(cudaStreamCallback_t function, cudaStream_t stream, void* user_data) override {
    function(stream, cudaSuccess, user_data);
  }
  void run_beside(std::function<void()> work) override { run_in_own_thread(std::move(work)); }
  bool several_can_wait() override { return true; }
  bool goes_on_meanwhile(bool, std::uint64_t state) override { return let_others_run(state); }
  bool wait_for_kernel() override { return wait_for_a_kernel(); }
  bool is_forked_from_user() override { return cudart::is_forked_from_user(); }
  void print(std::string_view text) override {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
};

}  // namespace

HostProgram& local_program() {
  static auto& program = *new LocalProgram;  // calls may come after static destructors
  return program;
}

}  // namespace warpsim::cudart
