#pragma once

namespace warpgrade {

/// Makes ctrl-C and SIGTERM set a flag instead of ending the program, so that running children are
/// ended, scratch folders removed and finished grades kept. A second ctrl-C ends it at once.
void install_interrupt_handlers();

/// Whether the user has asked the program to stop.
[[nodiscard]] bool interrupted() noexcept;

/// @throws Interrupted  when interrupted() is true
void stop_if_interrupted();

}  // namespace warpgrade
