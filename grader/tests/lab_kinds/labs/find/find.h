#pragma once

#include <cstdint>

/// where[0] is the index of an 'h' in `text`, any of them, or -1 if there is none. `capitals` is
/// the text with 'a' to 'z' as capitals. DEVICE pointers; n >= 1 bytes.
void find(const std::uint8_t* text, int* where, std::uint8_t* capitals, int n);
