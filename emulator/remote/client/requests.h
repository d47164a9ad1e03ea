#pragma once

#include <cstddef>
#include <span>

#include "emulator/remote/message.h"
#include "emulator/remote/protocol.h"

namespace warpsim::remote {

/// Serves a request of the device to this thread.
void do_request(Request request, std::span<const std::byte> bytes, std::span<std::byte> window,
                Writer& answer);

/// The file mapped at the addresses from kSharedBase on.
void set_shared_file(int file);

/// Sets the location of the program's current call in this thread. @returns the previous value
const void* exchange_caller(const void* return_address);

}  // namespace warpsim::remote
