#include "emulator/cudart/local/mappings.h"

#include <sys/mman.h>

#include <fstream>
#include <sstream>
#include <string>

namespace warpsim::cudart {

std::vector<Mapping> mappings() {
  std::vector<Mapping> found;
  std::ifstream lines("/proc/self/maps");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    Mapping mapping;
    char dash = 0;
    std::string permissions;  // as "rw-p"
    fields >> std::hex >> mapping.begin >> dash >> mapping.end >> permissions;
    if (permissions.size() != 4) continue;
    mapping.protection = (permissions[0] == 'r' ? PROT_READ : 0) |
                         (permissions[1] == 'w' ? PROT_WRITE : 0) |
                         (permissions[2] == 'x' ? PROT_EXEC : 0);
    found.push_back(mapping);
  }
  return found;
}

}  // namespace warpsim::cudart
