#pragma once

namespace warpsim {

/// Devices that a program can have at most: as many as the largest hosts with GPUs of one kind.
inline constexpr int kMostDevices = 16;

}  // namespace warpsim
