// Says when the links of NPUs have carried the bytes of the phases that use them.
//
// Each link carries the bytes of one phase after those of another, and is idle only where it has none to
// carry. A phase that starts comes behind those under way on the link, but it passes phases of other groups
// that keep links busy for longer: messages of different pairs of NPUs share a link, so the small ones are
// through first. Phases of one group stay in order, as messages between the same two NPUs do. A phase that is
// passed carries the rest of its bytes later. A phase is carried when the last of its links has carried its
// bytes. No order of two phases changes afterwards, so a phase only ever ends later.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/plan/plan.hpp"
#include "events/clock.hpp"

namespace orrery::core {

// The links that a phase uses of each NPU: where all NPUs of a dimension are connected, links lead to
// different peers, which are numbered by how many positions they are ahead, ascending. Empty: all links of
// the dimension.
using UsedLinks = std::vector<std::uint32_t>;

// A phase of a chunk on one group, from its start until its links have carried its bytes.
struct LinkTurn {
  const PhaseShape* shape;
  std::uint32_t chunk;
  std::span<const ClassId> members;
  std::span<const ClassId> asked;  // those of them whose links are looked at
  const UsedLinks* used;
  Stamp busy;  // how long its bytes keep its busiest link

  bool ends_together = true;            // for all members
  std::vector<Stamp> member_ends = {};  // where members run programs: when each of them may end its own

  // The following are for LinkQueues to set.
  std::pair<Stamp, std::uint64_t> place = {};  // phases with lower ones come first; the second is the number
  Stamp carried = 0;                           // when its links have carried all of its bytes
  bool moved = false;                          // others have passed it
};

class LinkQueues {
 public:
  using Turn = std::shared_ptr<LinkTurn>;

  // Keeps a reference to the clock. `dimensions` is their number in the topology. A phase of none of them may
  // use the links of all.
  LinkQueues(const Clock& clock, std::size_t classes, std::size_t dimensions)
      : clock_(clock), dimensions_(dimensions), under_way_(classes * dimensions) {}

  // Adds a phase that starts now. Returns those of the phases behind it that are carried later for the first
  // time.
  [[nodiscard]] std::vector<Turn> add(const Turn& turn, Stamp now);

 private:
  // The bytes of a phase on one link: when it carries them, but for interruptions before `begin`.
  struct Carriage {
    Turn turn;
    Stamp begin, carried;
  };
  using Link = std::vector<Carriage>;  // by place

  // Calls `visit(link)` with the links of some members that a phase may use.
  template <class Visit>
  void visit_links(const LinkTurn& turn, std::span<const ClassId> members, const Visit& visit);
  std::pair<Stamp, std::uint64_t> place_of(const LinkTurn& turn, Stamp now);
  void add(Link& link, const Turn& turn, Stamp now, std::vector<Turn>& moved) const;

  const Clock& clock_;
  std::size_t dimensions_;
  std::vector<Link> under_way_;  // by class and dimension
  std::uint64_t turns_ = 0;
};

}  // namespace orrery::core
