#pragma once

#include <functional>
#include <string>

// What a long piece of work is doing at the moment, for whoever waits for it.

namespace warpgrade {

/// From now on `follow` gets each step of this process; an empty function ends that. It is called
/// from several threads, by one at a time, and must not call begin_step().
void follow_steps(std::function<void(const std::string& step)> follow);

/// The same, with each step as a line `progress: compiling` on standard error.
void print_steps();

/// Tells whoever follows, if anyone does.
/// @param step  a few words: "compiling", "case 3 of 12"
void begin_step(const std::string& step);

}  // namespace warpgrade
