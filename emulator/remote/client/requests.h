#pragma once

#include <cstddef>
#include <span>

#include "emulator/remote/message.h"
#include "emulator/remote/protocol.h"

namespace warpsim::remote {

/// Does what the device asks of this thread.
void do_request(Request request, std::span<const std::byte> bytes, std::span<std::byte> window,
                Writer& answer);

/// The file behind the addresses from kSharedBase on.
void set_shared_file(int file);

/// Where the program called the function that runs in this thread. @returns what it was before
const void* exchange_caller(const void* return_address);

}  // namespace warpsim::remote
