#include "emulator/cudart/api.h"

// Access of one device to the memory of another. All devices are of one kind and linked as in a
// server of the card's: results are those of two H100.

namespace warpsim::cudart {
namespace {

// Names that not every toolkit of CUDA 12 has.
constexpr int kNativeAtomics = 3;  // cudaDevP2PAttrNativeAtomicSupported
constexpr int kLastP2PAttribute = 5;  // cudaDevP2PAttrOnlyPartialNativeAtomicSupported

cudaError_t valid_pair(const Call& call, int device, int peer) {
  const bool valid = call.runtime.has_device(device) && call.runtime.has_device(peer);
  return valid ? cudaSuccess : cudaErrorInvalidDevice;
}

int p2p_value(const Card& card, int attribute) {
  switch (attribute) {
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      return 1;
    case kNativeAtomics:
      // Over NVLink; PCIe has none. A link that is faster than the host's is NVLink.
      return card.peer_bandwidth > card.link_bandwidth ? 1 : 0;
    default:
      return 0;
  }
}

/// @param enable  or disable
cudaError_t change_access(Call& call, int peer, bool enable) {
  const int device = current_device();
  if (const cudaError_t error = valid_pair(call, device, peer)) return error;
  GlobalMemory& memory = call.runtime.memory;
  if (memory.has_peer_access(device, peer) == enable) {
    return enable ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled;
  }
  if (peer == device) return cudaErrorPeerAccessUnsupported;
  memory.set_peer_access(device, peer, enable);
  return cudaSuccess;
}

}  // namespace
}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

/// A device is not its own peer.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api(__func__, [&](Call& call) {
    if (const cudaError_t error = valid_pair(call, device, peer)) return error;
    if (can == nullptr) return cudaErrorInvalidValue;
    *can = device != peer ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
  return api(__func__, [&](Call& call) {
    const bool known = attribute >= cudaDevP2PAttrPerformanceRank && attribute <= kLastP2PAttribute;
    if (value == nullptr || !known) return cudaErrorInvalidValue;
    if (const cudaError_t error = valid_pair(call, source, destination)) return error;
    if (source == destination) return cudaErrorInvalidDevice;
    *value = p2p_value(call.runtime.card, attribute);
    return cudaSuccess;
  });
}

/// Kernels of the current device may use the peer's memory from now on; the other direction is
/// enabled on its own.
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api(__func__, [&](Call& call) {
    return flags != 0 ? cudaErrorInvalidValue : change_access(call, peer, true);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api(__func__, [&](Call& call) { return change_access(call, peer, false); });
}

}  // extern "C"
