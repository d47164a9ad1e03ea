#include "emulator/findings/function_name.h"

namespace warpsim {

std::string_view bare_name(std::string_view demangled) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  // Its parenthesis begins no list of parameters.
  for (std::size_t at = demangled.find(kAnonymous);
       at != demangled.npos && at < demangled.find('<') && demangled.find('(') == at;
       at = demangled.find(kAnonymous)) {
    demangled.remove_prefix(at + kAnonymous.size());
  }
  const std::string_view name = demangled.substr(0, demangled.find_first_of("(<"));
  const std::size_t last = name.find_last_of(" :");
  return last == name.npos ? name : name.substr(last + 1);
}

}  // namespace warpsim
