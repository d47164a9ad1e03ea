#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/locations.h"
#include "emulator/ptx/module.h"

namespace warpsim::ptx {

/// State shared by all parts of the parser while reading one module.
struct Context {
  Lexer lexer;
  Module& module;
  Locations locations;
  std::size_t names = 0;  // expanded from ranges so far, against kMaxModuleNames
  std::uint64_t initial_bytes = 0;  // against kMaxInitialBytes

  explicit Context(Module& m) : lexer(*m.text), module(m) {}
};

}  // namespace warpsim::ptx
