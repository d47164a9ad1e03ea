#include "emulator/cudart/current_device.h"

namespace warpsim::cudart {
namespace {

thread_local int device_of_thread = 0;

}  // namespace

int current_device() {
  return device_of_thread;
}

void set_current_device(int device) {
  device_of_thread = device;
}

}  // namespace warpsim::cudart
