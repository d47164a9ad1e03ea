#pragma once

#include <string_view>

namespace warpsim {

/// A demangled function's name alone: "tile" of "void ns::tile<16>(float const*)". Without return
/// type, namespaces, template arguments and parameters.
[[nodiscard]] std::string_view bare_name(std::string_view demangled);

}  // namespace warpsim
