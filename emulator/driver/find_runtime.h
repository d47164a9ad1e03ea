#pragma once

namespace warpsim::driver {

struct FoundRuntime {
  void* library = nullptr;  // for dlsym; null if there is none, and dlerror() says why
  bool of_program = false;  // the program has loaded it
};
/// The emulator's CUDA runtime: the one that the program has loaded (of CUDA 12 or 13), else
/// libcudart.so.13 beside the library that this is linked into.
[[nodiscard]] FoundRuntime find_runtime();

}  // namespace warpsim::driver
