#include "emulator/cudart/host_program.h"

#include <atomic>

namespace warpsim::cudart {
namespace {

std::atomic<HostProgram*> the_program = nullptr;

}  // namespace

HostProgram& HostProgram::get() {
  return *the_program.load(std::memory_order_acquire);
}

void HostProgram::set(HostProgram& program) {
  the_program.store(&program, std::memory_order_release);
}

}  // namespace warpsim::cudart
