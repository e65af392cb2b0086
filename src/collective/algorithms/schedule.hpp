// Describes what the members of a group send each other in one phase: pure data, the same for every member.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/units/bytes.hpp"
#include "collective/algorithms/member_program.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

// A member prepares message 0, 1, 2, ... Each reception lets it prepare the next one. A prepared message is
// sent and its counterpart received. The member is done when all messages are sent and `in_flight` further
// preparations, which send nothing, have ended (docs/models/collectives.md, Exchange).
struct ExchangeSchedule {
  enum class Peer {
    shift,         // to position + amount, from position - amount, around the group
    exclusive_or,  // to and from position ^ amount
  };
  struct Step {
    std::uint32_t amount;
    Bytes bytes;
  };

  Peer peer = Peer::shift;
  std::vector<Step> steps;      // message k uses steps[k % steps.size()]
  std::uint32_t in_flight = 1;  // preparations at a time
  std::uint64_t messages = 0;   // number that each member sends
  // The second half of a direct all-reduce starts when this many messages of the first half have arrived; 0:
  // there is no gate.
  std::uint32_t gate = 0;
  // Preparations come in cycles: first `fresh` ones of own data, then `relayed` ones of data that was
  // received.
  std::uint32_t fresh = 1;
  std::uint32_t relayed = 0;
  CollectiveKind kind = CollectiveKind::all_gather;

  // Among n positions, receiver() returns the one that position x sends a message of `amount` to, and
  // sender() the one that x receives it from.
  static std::uint32_t receiver(Peer peer, std::uint32_t x, std::uint32_t amount, std::uint32_t n) {
    return peer == Peer::exclusive_or ? x ^ amount : (x + amount) % n;
  }
  static std::uint32_t sender(Peer peer, std::uint32_t x, std::uint32_t amount, std::uint32_t n) {
    return peer == Peer::exclusive_or ? x ^ amount : (x + n - amount) % n;
  }

  std::uint64_t preparations() const { return messages + in_flight; }
  // Returns the number of messages that are sent without looking at the gate.
  std::uint64_t ungated() const { return messages - gate; }
  // Returns whether what preparation k prepares is the member's own data.
  bool is_fresh(std::uint64_t k) const { return k % (fresh + relayed) < fresh; }
  // Returns whether preparation k reduces, that is, adds received data to own data.
  bool reducing(std::uint64_t k) const {
    if (is_fresh(k)) return false;
    return kind == CollectiveKind::reduce_scatter ||
           (kind == CollectiveKind::all_reduce && k / (fresh + relayed) % 2 == 0);
  }
  // Returns how many of the first `count` preparations reduce.
  std::uint64_t reducing_among_first(std::uint64_t count) const;
  // Returns whether the data of preparation k passes the bus once more on its way out.
  bool passes_on(std::uint32_t k) const {
    std::uint32_t place = k % (fresh + relayed);
    return place >= fresh && place + in_flight < fresh + relayed;
  }
};

// This is an all-reduce up and down a binary tree, in which every message carries all bytes
// (docs/models/collectives.md, Double binary tree).
struct TreeSchedule {
  static constexpr std::int32_t none = -1;
  struct Node {
    std::int32_t parent = none;  // positions in the group
    std::int32_t left = none;    // the root's only child is its left one
    std::int32_t right = none;
  };
  enum Relation : std::uint32_t { parent, left, right };
  // The steps of a member, which prepares one of them at a time.
  enum Step : std::uint32_t { first_up, child_gathered, last_child_gathered, root_turn, down };

  std::uint32_t members = 0;  // a power of two
  bool odd = false;           // the second of the two complementary trees
  Bytes bytes;

  // Returns the node at a position. It is computed, not stored, so that a tree over a million positions costs
  // no memory. Labels of a tree run from 0 to `members`, and one of these two is the root: the first tree's
  // labels are positions + 1 with root `members`, and the second's are positions with root 0.
  Node node(std::uint32_t position) const {
    const std::uint32_t first_label = odd ? 0 : 1, root = odd ? 0 : members;
    const std::uint32_t label = position + first_label;
    const auto position_of = [&](std::uint32_t l) { return static_cast<std::int32_t>(l - first_label); };
    if (label == root) return {none, position_of(members / 2), none};
    const std::uint32_t step = label & -label;  // twice the way to its children's labels
    const bool up = (label & (2 * step)) == 0;
    const std::int32_t above = position_of(label == members / 2 ? root : up ? label + step : label - step);
    if (step == 1) return {above, none, none};  // a leaf
    return {above, position_of(label - step / 2), position_of(label + step / 2)};
  }
  // Returns all positions, level by level from the root.
  std::vector<std::uint32_t> downwards() const;
};

// Each member runs a program of its own. Positions count from the root on. Members that do alike share a
// program.
struct ProgramSchedule {
  struct Member {
    std::uint32_t program;
    std::uint32_t origin;  // position from which the program's peers count
  };
  std::vector<Member> members;  // by position
  std::vector<MemberProgram> programs;

  // Returns the number of messages that all members send.
  std::uint64_t sends() const;
  const MemberProgram& program_of(std::uint32_t position) const {
    return programs[members[position].program];
  }
  // Returns the position of a step's peer.
  std::uint32_t peer_of(std::uint32_t position, const MemberProgram::Step& step) const {
    return (members[position].origin + step.peer) % size();
  }

  // The following functions translate positions in a group whose root stands at `root` into positions that
  // count from the root, and back.
  std::uint32_t from_root(std::uint32_t position, std::uint32_t root) const {
    return (position + size() - root) % size();
  }
  std::uint32_t in_group(std::uint32_t from_root, std::uint32_t root) const {
    return (from_root + root) % size();
  }
  // Returns the member at a position of such a group. Its origin is a position in the group.
  Member member_in_group(std::uint32_t position, std::uint32_t root) const {
    const Member& member = members[from_root(position, root)];
    return {member.program, in_group(member.origin, root)};
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(members.size()); }
};

using Schedule = std::variant<ExchangeSchedule, TreeSchedule, ProgramSchedule>;

}  // namespace orrery::core
