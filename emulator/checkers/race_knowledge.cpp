#include "emulator/checkers/race_knowledge.h"

#include <algorithm>
#include <array>

namespace warpsim {
namespace {

/// More lists than this are folded into one a warp: it forgets which lanes they were, so a race may
/// go unseen, but none is made up.
constexpr std::size_t kMaxParts = 96;

bool includes(const BlockKnowledge::Part& a, const BlockKnowledge::Part& b) {
  return a.warp == b.warp && (b.lanes & ~a.lanes) == 0 && a.now >= b.now && a.from <= b.from &&
         a.synced >= b.synced;
}

}  // namespace

bool BlockKnowledge::covers(Stamp access) const {
  if (access.tick() < floor) return true;
  return std::ranges::any_of(parts, [&](const Part& part) {
    if (part.warp != access.warp()) return false;
    return access.tick() < part.synced || (((part.lanes >> access.lane()) & 1) != 0 &&
                                           access.tick() >= part.from && access.tick() <= part.now);
  });
}

bool BlockKnowledge::includes(const BlockKnowledge& other) const {
  if (other.floor > floor) return false;
  // One list has mostly grown out of the other: what is looked for comes behind what was found.
  std::size_t next = 0;
  return std::ranges::all_of(other.parts, [&](const Part& theirs) {
    if (theirs.now < floor && theirs.synced <= floor) return true;
    for (std::size_t tried = 0; tried < parts.size(); ++tried, ++next) {
      if (next >= parts.size()) next = 0;
      if (warpsim::includes(parts[next], theirs)) {
        ++next;
        return true;
      }
    }
    return false;
  });
}

void BlockKnowledge::add(const Part& part) {
  if (part.now < floor && part.synced <= floor) return;
  for (const Part& ours : parts) {
    if (warpsim::includes(ours, part)) return;
  }
  std::erase_if(parts, [&](const Part& ours) { return warpsim::includes(part, ours); });
  if (parts.size() >= kMaxParts) {
    for (Part& ours : parts) {
      if (ours.warp != part.warp) continue;
      ours.lanes |= part.lanes;
      ours.now = std::max(ours.now, part.now);
      ours.from = std::min(ours.from, part.from);
      ours.synced = std::max(ours.synced, part.synced);
      return;
    }
  }
  parts.push_back(part);
}

void BlockKnowledge::add(const BlockKnowledge& other) {
  if (other.floor > floor) {
    floor = other.floor;
    std::erase_if(parts,
                  [&](const Part& part) { return part.now < floor && part.synced <= floor; });
  }
  for (const Part& part : other.parts) add(part);
}

/// Inner nodes have children, leaves have `known`. The level of a node is that of its root's
/// distance to the leaves: level 0 is a leaf, and a tree of level n holds 32^n blocks.
struct Knowledge::Node {
  std::uint32_t references = 1;
  std::uint32_t level = 0;
  BlockKnowledge known;  // leaves
  std::array<Node*, 32> child = {};  // the others
};

namespace {

using Node = Knowledge::Node;

Node* share(Node* node) {
  if (node != nullptr) ++node->references;
  return node;
}

void drop(Node* node) {
  if (node == nullptr || --node->references != 0) return;
  if (node->level != 0) {
    for (Node* child : node->child) drop(child);
  }
  delete node;
}

Node* new_node(std::uint32_t level) {
  Node* node = new Node;
  node->level = level;
  return node;
}

std::size_t branch(std::uint64_t block, std::uint32_t level) {
  return static_cast<std::size_t>(block >> (5 * (level - 1)) & 31);
}

/// Puts nodes above a root until it has the level. Takes over the reference.
Node* raise(Node* node, std::uint32_t level) {
  while (node->level < level) {
    Node* parent = new_node(node->level + 1);
    parent->child[0] = node;
    node = parent;
  }
  return node;
}

/// The union of two trees of equal level; one of the two when it has all of the other's.
Node* joined(Node* a, Node* b) {
  if (a == b || b == nullptr) return share(a);
  if (a == nullptr) return share(b);
  if (a->level == 0) {
    if (a->known.includes(b->known)) return share(a);
    if (b->known.includes(a->known)) return share(b);
    Node* node = new_node(0);
    node->known = a->known;
    node->known.add(b->known);
    return node;
  }
  std::array<Node*, 32> child = {};
  std::uint32_t owned = 0;  // children that are references of our own
  bool is_a = true;
  bool is_b = true;
  for (std::size_t i = 0; i < 32; ++i) {
    Node* const of_a = a->child[i];
    Node* const of_b = b->child[i];
    if (of_a == of_b || of_b == nullptr) {
      child[i] = of_a;
    } else if (of_a == nullptr) {
      child[i] = of_b;
    } else {
      child[i] = joined(of_a, of_b);
      owned |= 1u << i;
    }
    is_a = is_a && child[i] == of_a;
    is_b = is_b && child[i] == of_b;
  }
  Node* const node = is_a ? share(a) : is_b ? share(b) : new_node(a->level);
  for (std::size_t i = 0; i < 32; ++i) {
    const bool is_owned = ((owned >> i) & 1) != 0;
    if (is_a || is_b) {
      if (is_owned) drop(child[i]);
    } else {
      node->child[i] = is_owned ? child[i] : share(child[i]);
    }
  }
  return node;
}

}  // namespace

Knowledge::Knowledge(const Knowledge& other) : root_(share(other.root_)) {}

Knowledge::~Knowledge() {
  drop(root_);
}

const BlockKnowledge* Knowledge::find(std::uint64_t block) const {
  const Node* node = root_;
  if (node == nullptr || block >> (5 * node->level) != 0) return nullptr;
  while (node != nullptr && node->level != 0) node = node->child[branch(block, node->level)];
  return node == nullptr ? nullptr : &node->known;
}

void Knowledge::add(std::uint64_t block, const BlockKnowledge& known) {
  std::uint32_t level = root_ == nullptr ? 0 : root_->level;
  while (block >> (5 * level) != 0) ++level;
  Knowledge one;
  one.root_ = new_node(0);
  one.root_->known = known;
  for (std::uint32_t l = 1; l <= level; ++l) {
    Node* parent = new_node(l);
    parent->child[branch(block, l)] = one.root_;
    one.root_ = parent;
  }
  join(one);
}

bool Knowledge::join(const Knowledge& other) {
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
