// Gives phases that use the same links their turns on them.
//
// A phase that starts comes behind those under way on its links, but it passes phases of other groups that
// keep links busy for longer: messages of different pairs of NPUs share a link, so the small ones are through
// first. Phases of one group stay in order, as messages between the same two NPUs do. A phase that is passed
// carries the rest of its bytes later. No order of two phases changes afterwards, so a phase only ever moves
// later.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collective/plan.hpp"
#include "events/clock.hpp"

namespace orrery {

// The links that a phase uses of each NPU: where all NPUs of a dimension are connected, links lead to
// different peers, which are numbered by how many positions they are ahead, ascending. Empty: all links of
// the dimension.
using UsedLinks = std::vector<std::uint32_t>;

// A phase of a chunk on one group, from its start until its links have carried its bytes.
struct LinkTurn {
  const PhaseShape* shape;
  std::uint32_t chunk;
  std::span<const std::uint32_t> members;  // classes
  std::span<const std::uint32_t> asked;    // those of them whose links are looked at
  const UsedLinks* used;
  Stamp busy;  // how long its bytes keep its busiest link

  bool ends_together = true;            // for all members
  std::vector<Stamp> member_ends = {};  // where members run programs: when each of them may end its own

  // The following are for LinkQueues to set.
  std::pair<Stamp, std::uint64_t> place = {};  // phases with lower ones come first; the second is the number
  Stamp begin = 0;                             // when it begins, or goes on after it was passed
  Stamp carried = 0;                           // when its links have carried all of its bytes
  bool moved = false;                          // others have passed it
  std::uint64_t looked_at = 0;                 // number of the last phase for which it was looked at
};

class LinkQueues {
 public:
  using Turn = std::shared_ptr<LinkTurn>;

  // Keeps a reference to the clock. `dimensions` is their number in the topology. A phase of none of them may
  // use the links of all.
  LinkQueues(const Clock& clock, std::size_t classes, std::size_t dimensions)
      : clock_(clock), dimensions_(dimensions), under_way_(classes * dimensions) {}

  // Gives a phase its turn, which starts now. Returns those of the phases behind it that move later for the
  // first time.
  [[nodiscard]] std::vector<Turn> add(const Turn& turn, Stamp now);

 private:
  using Behind = std::map<std::pair<Stamp, std::uint64_t>, Turn>;  // by place

  using Members = std::span<const std::uint32_t>;

  // Calls `visit(phases)` with those under way on the links of each dimension of some members.
  template <class Visit>
  void visit_links(const LinkTurn& turn, Members members, const Visit& visit);
  // Calls `visit(phase)` for each phase under way that uses such a link which `turn` uses, maybe several
  // times.
  template <class Visit>
  void visit_rivals(const LinkTurn& turn, Members members, const Visit& visit);
  std::pair<Stamp, std::uint64_t> place_of(const LinkTurn& turn, Stamp now);
  // Finds out when a phase begins and which ones it passes.
  Behind enqueue(const Turn& turn, Stamp now);
  void await(Behind& behind, const Turn& turn);
  // Moves a phase behind those before it. Returns false if it begins no later than before.
  [[nodiscard]] bool move(LinkTurn& turn, Stamp now);

  const Clock& clock_;
  std::size_t dimensions_;
  std::vector<std::vector<Turn>> under_way_;  // by class and dimension
  std::uint64_t turns_ = 0;
};

}  // namespace orrery
