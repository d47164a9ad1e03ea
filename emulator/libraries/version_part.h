#pragma once

namespace warpsim::libraries {

/// What the libraries' GetProperty functions give.
/// @param major  of `version`: what a major version counts in it, 1000 or 10000
/// @param part   libraryPropertyType: 0 major, 1 minor, 2 patch
/// @returns whether there is such a part, and a place for it
inline bool version_part(int version, int major, int part, int* value) {
  if (value == nullptr || part < 0 || part > 2) return false;
  const int parts[] = {version / major, version % major / 100, version % 100};
  *value = parts[part];
  return true;
}

}  // namespace warpsim::libraries
