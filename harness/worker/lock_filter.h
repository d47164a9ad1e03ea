#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace warpgrade::worker {

/// Addresses [begin, end).
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// What a locked process may still do with descriptors and mappings that exist.
struct LockLimits {
  std::vector<int> readable;  // descriptors for read, readv, pread64
  std::vector<int> writable;  // for write, writev
  std::vector<int> sockets;  // for sendmsg, recvmsg
  /// No mapping here may be changed, moved, replaced or removed.
  std::vector<AddressRange> kept;
};

/// A filter of system calls for these limits. It allows everything else, because it is installed
/// beside the table of allowed calls (harness/syscalls/tables.h), and the stricter one decides.
[[nodiscard]] std::vector<sock_filter> make_lock_filter(const LockLimits& limits);

/// The code and constants of the program and its libraries, and the tables that the loader filled
/// and closed (RELRO). Their variables are left out: host code may page-lock those.
[[nodiscard]] std::vector<AddressRange> closed_mappings();

}  // namespace warpgrade::worker
