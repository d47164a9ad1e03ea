#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/debug/session.h"

// What users write in the debug console besides expressions: commands, and "@lane 5".

namespace warpsim::debug {
namespace {

/// The numbers of "(3,0,0) (17,0,0)"; nothing for another text. Missing ones are 0.
std::vector<std::vector<std::uint32_t>> triples_in(std::string_view text) {
  std::vector<std::vector<std::uint32_t>> triples;
  const auto skip = [&] {
    while (text.starts_with(' ')) text.remove_prefix(1);
  };
  for (skip(); !text.empty(); skip()) {
    if (!text.starts_with('(')) return {};
    std::vector<std::uint32_t>& triple = triples.emplace_back();
    do {
      text.remove_prefix(1);
      skip();
      std::uint32_t number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc{}) return {};
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      triple.push_back(number);
      skip();
    } while (text.starts_with(','));
    if (!text.starts_with(')') || triple.size() > 3) return {};
    text.remove_prefix(1);
  }
  return triples;
}

}  // namespace

/// @param where  "lane 5", "block (3,0,0)"
Thread Session::elsewhere(Thread thread, const std::string& where) {
  if (where.starts_with("lane")) {
    const int lane = std::atoi(where.c_str() + 4);
    if (lane < 0 || lane >= kWarpSize) throw RequestError("a warp has the lanes 0 to 31");
    thread.lane = lane;
    return thread;
  }
  const auto triples = triples_in(where.starts_with("block") ? where.substr(5) : "");
  if (triples.size() != 1) {
    throw RequestError(
        fmt::format("'@{}' is not known; there are @lane N and @block (x,y,z)", where));
  }
  BlockContext* const block =
      control_.living(linear_in(control_.launch()->grid, triples.front(), "grid", "blocks"));
  WarpContext* const warp =
      block == nullptr ? nullptr : block->warps[thread.warp->warp.warp_index].get();
  const WarpSplit* const split = warp == nullptr ? nullptr : shown_split(*warp, false, thread.lane);
  if (split == nullptr) {
    throw RequestError("this block has not begun, or its warp has ended; 'focus' runs to a block");
  }
  return {warp, split->frame, split->pc, thread.lane};
}

/// Commands of the debug console.
std::string Session::console(const std::string& text, bool& handled) {
  handled = true;
  if (text.starts_with("lane ")) {
    const int lane = std::atoi(text.c_str() + 5);
    if (lane < 0 || lane >= kWarpSize) throw RequestError("a warp has the lanes 0 to 31");
    control_.set_lane(lane);
    event("invalidated", {{"areas", {"all"}}});
    return fmt::format("lane {}", lane);
  }
  const bool reads = text.starts_with("last read ");
  if (reads || text.starts_with("last write ")) {
    const std::string expression = text.substr(reads ? 10 : 11);
    std::string why;
    if (!control_.can_go_back(why)) throw RequestError(why);
    std::optional<Watch> watch = watch_of(focus(), expression);
    if (!watch) {
      throw RequestError("only accesses to elements of shared and global memory can be found");
    }
    watch->name = fmt::format("the last {} of {}", reads ? "read" : "write", expression);
    watch->reads = reads;
    watch->writes = !reads;
    control_.go_to_last_access(*watch);
    return "going back";
  }
  if (text == "other side") {
    std::string why;
    if (!control_.can_go_back(why)) throw RequestError(why);
    if (!control_.go_to_other_side()) throw RequestError("the program does not stand at a race");
    return "going back";
  }
  if (text.starts_with("picture ")) {
    (void)picture({{"file", text.substr(8)}});
    return "going back, to record what the block has done";
  }
  if (text.starts_with("focus ")) {
    std::vector<std::vector<std::uint32_t>> triples = triples_in(text.substr(6));
    if (triples.empty() || triples.size() > 2) {
      throw RequestError(
          "write 'focus (17,0,0)', or 'focus (3,0,0) (17,0,0)' with the block first");
    }
    Json of = {{"thread", triples.back()}};
    if (triples.size() == 2) of["block"] = triples.front();
    (void)set_focus(of);
    return text;
  }
  if (text == "run to barrier") {
    control_.run_to_barrier(*control_.stopped_warp());
    return "going on";
  }
  if (text == "help") {
    return "lane N: show this lane's variables\n"
           "last write EXPRESSION, last read EXPRESSION: go back to it\n"
           "other side: at a race, go back to its first access\n"
           "picture FILE.html: a page with pictures of what the block has done up to here\n"
           "run to barrier: let the warp run to where it waits\n"
           "focus (x,y,z): show this thread of the block; focus (x,y,z) (x,y,z): of another "
           "block,\n"
           "  which runs up to its beginning\n"
           "anything else is an expression; EXPRESSION @lane N evaluates it in another lane,\n"
           "  EXPRESSION @block (x,y,z) in another block that runs";
  }
  handled = false;
  return {};
}

}  // namespace warpsim::debug
