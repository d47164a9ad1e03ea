#include "emulator/checkers/races/vector_clock.h"

#include <algorithm>
#include <array>

namespace warpsim {
namespace {

/// A block with more parts than this forgets of some warps which lanes they were: a race may go
/// unseen, but none is made up.
constexpr std::size_t kMaxParts = 96;

using Part = BlockClock::Part;

bool spans(const Part& a, const Part& b) {
  return a.from <= b.from && a.now >= b.now;
}

}  // namespace

bool BlockClock::covers(Epoch access) const {
  if (access.tick() < floor) return true;
  return std::ranges::any_of(parts, [&](const Part& part) {
    return part.warp == access.warp() && ((part.lanes >> access.lane()) & 1) != 0 &&
           access.tick() >= part.from && access.tick() <= part.now;
  });
}

bool BlockClock::includes(const Part& part) const {
  BlockClock other;
  other.parts.push_back(part);
  return includes(other);
}

bool BlockClock::includes(const BlockClock& other) const {
  if (other.floor > floor) return false;
  auto begin = parts.begin();
  for (const Part& theirs : other.parts) {
    if (theirs.now < floor) continue;
    while (begin != parts.end() && begin->warp < theirs.warp) ++begin;
    const Part since_floor{theirs.warp, 0, std::max(theirs.from, floor), theirs.now};
    std::uint32_t missing = theirs.lanes;
    for (auto ours = begin; missing != 0; ++ours) {
      if (ours == parts.end() || ours->warp != theirs.warp) return false;
      if (spans(*ours, since_floor)) missing &= ~ours->lanes;
    }
  }
  return true;
}

void BlockClock::add(Part part) {
  if (part.now < floor) return;
  // What the floor covers makes no difference.
  if (part.from < floor) part.from = 0;
  const auto begin = std::ranges::lower_bound(parts, part.warp, {}, &Part::warp);
  auto end = begin;
  for (; end != parts.end() && end->warp == part.warp; ++end) {
    if (spans(*end, part)) part.lanes &= ~end->lanes;
  }
  if (part.lanes == 0) return;
  auto kept = begin;
  for (auto ours = begin; ours != end; ++ours) {
    if (ours->from == part.from && ours->now == part.now) {
      part.lanes |= ours->lanes;
      continue;
    }
    if (spans(part, *ours)) ours->lanes &= ~part.lanes;
    if (ours->lanes != 0) *kept++ = *ours;
  }
  const bool folds = kept != begin && parts.size() >= kMaxParts;
  if (folds) {
    folded = true;
    for (auto ours = begin; ours != kept; ++ours) {
      part.lanes |= ours->lanes;
      part.from = std::min(part.from, ours->from);
      part.now = std::max(part.now, ours->now);
    }
    kept = begin;
  }
  if (kept == end) {
    parts.insert(end, part);
  } else {
    *kept = part;
    parts.erase(kept + 1, end);
  }
}

void BlockClock::add(const BlockClock& other) {
  folded = folded || other.folded;
  if (other.floor > floor) {
    floor = other.floor;
    const std::vector<Part> before = std::exchange(parts, {});
    for (const Part& part : before) add(part);
  }
  for (const Part& part : other.parts) add(part);
}

/// A tree of level n holds 32^n blocks; level 0 is a leaf.
struct VectorClock::Node {
  explicit Node(std::uint32_t l) : level(l) {}
  std::uint32_t references = 1;
  std::uint32_t level;
};

namespace {

using Node = VectorClock::Node;

struct Leaf : Node {
  explicit Leaf(const BlockClock& k) : Node(0), known(k) {}
  BlockClock known;
};

struct Inner : Node {
  using Node::Node;
  std::array<Node*, 32> child = {};
};

BlockClock& known_of(Node* leaf) {
  return static_cast<Leaf*>(leaf)->known;
}

std::array<Node*, 32>& children(Node* inner) {
  return static_cast<Inner*>(inner)->child;
}

Node* share(Node* node) {
  if (node != nullptr) ++node->references;
  return node;
}

void drop(Node* node) {
  if (node == nullptr || --node->references != 0) return;
  if (node->level == 0) {
    delete static_cast<Leaf*>(node);
    return;
  }
  for (Node* child : children(node)) drop(child);
  delete static_cast<Inner*>(node);
}

std::size_t branch(std::uint64_t block, std::uint32_t level) {
  return static_cast<std::size_t>(block >> (5 * (level - 1)) & 31);
}

/// Puts nodes above a root until it has the level. Takes over the reference.
Node* raise(Node* node, std::uint32_t level) {
  while (node->level < level) {
    auto* parent = new Inner(node->level + 1);
    parent->child[0] = node;
    node = parent;
  }
  return node;
}

bool equal(Node* a, Node* b) {
  return a->level == 0 ? known_of(a) == known_of(b) : children(a) == children(b);
}

/// Of two equal children all who have one get the same: what many learn from many comes to be one
/// value, which is compared and kept once.
void unify(Node*& a, Node*& b) {
  Node*& rare = a->references < b->references ? a : b;
  Node* const common = share(&rare == &a ? b : a);
  drop(rare);
  rare = common;
}

/// The union of two trees of equal level; one of the two when it has all of the other's.
Node* joined(Node* a, Node* b) {
  if (a == b || b == nullptr) return share(a);
  if (a == nullptr) return share(b);
  if (a->level == 0) {
    if (known_of(a).includes(known_of(b))) return share(a);
    if (known_of(b).includes(known_of(a))) return share(b);
    auto* leaf = new Leaf(known_of(a));
    leaf->known.add(known_of(b));
    return leaf;
  }
  std::array<Node*, 32> child = {};
  std::uint32_t owned = 0;  // children that are references of our own
  bool is_a = true;
  bool is_b = true;
  for (std::size_t i = 0; i < 32; ++i) {
    Node*& of_a = children(a)[i];
    Node*& of_b = children(b)[i];
    if (of_a == of_b || of_b == nullptr) {
      child[i] = of_a;
    } else if (of_a == nullptr) {
      child[i] = of_b;
    } else {
      child[i] = joined(of_a, of_b);
      if (child[i] == of_a && equal(of_a, of_b)) {
        drop(child[i]);
        unify(of_a, of_b);
        child[i] = of_a;
      } else {
        owned |= 1u << i;
      }
    }
    is_a = is_a && child[i] == of_a;
    is_b = is_b && child[i] == of_b;
  }
  Node* const node = is_a ? share(a) : is_b ? share(b) : new Inner(a->level);
  for (std::size_t i = 0; i < 32; ++i) {
    const bool is_owned = ((owned >> i) & 1) != 0;
    if (is_a || is_b) {
      if (is_owned) drop(child[i]);
    } else {
      children(node)[i] = is_owned ? child[i] : share(child[i]);
    }
  }
  return node;
}

}  // namespace

VectorClock::VectorClock(const VectorClock& other) : root_(share(other.root_)) {}

void VectorClock::release() {
  drop(root_);
}

const BlockClock* VectorClock::find(std::uint64_t block) const {
  Node* node = root_;
  if (node == nullptr || block >> (5 * node->level) != 0) return nullptr;
  while (node != nullptr && node->level != 0) node = children(node)[branch(block, node->level)];
  return node == nullptr ? nullptr : &known_of(node);
}

void VectorClock::add(std::uint64_t block, const BlockClock& known) {
  std::uint32_t level = root_ == nullptr ? 0 : root_->level;
  while (block >> (5 * level) != 0) ++level;
  VectorClock one;
  one.root_ = new Leaf(known);
  for (std::uint32_t l = 1; l <= level; ++l) {
    auto* parent = new Inner(l);
    parent->child[branch(block, l)] = one.root_;
    one.root_ = parent;
  }
  join(one);
}

bool VectorClock::join(const VectorClock& other) {
  if (other.root_ == nullptr || other.root_ == root_) return false;
  if (root_ == nullptr) {
    root_ = share(other.root_);
    return true;
  }
  Node* theirs = share(other.root_);
  if (root_->level < theirs->level) root_ = raise(root_, theirs->level);
  if (theirs->level < root_->level) theirs = raise(theirs, root_->level);
  Node* both = joined(root_, theirs);
  const bool grown = both != root_;
  drop(theirs);
  drop(root_);
  root_ = both;
  return grown;
}

}  // namespace warpsim
