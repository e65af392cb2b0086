// What a program asks for when its ranks communicate together. The machine decides how that is done: by which
// algorithm, in which chunks, or in what time of a library.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "base/units/time.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery::core {

// In the first four kinds every member does the same. In the others a root has data that the others lack, or
// wants theirs. A barrier moves no data.
enum class CollectiveKind {
  reduce_scatter,
  all_gather,
  all_reduce,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  barrier
};
inline constexpr int collective_kinds = 9;
inline constexpr std::array<EnumName<CollectiveKind>, collective_kinds> collective_kind_words{{
    {"reduce-scatter", CollectiveKind::reduce_scatter},
    {"all-gather", CollectiveKind::all_gather},
    {"all-reduce", CollectiveKind::all_reduce},
    {"all-to-all", CollectiveKind::all_to_all},
    {"broadcast", CollectiveKind::broadcast},
    {"reduce", CollectiveKind::reduce},
    {"gather", CollectiveKind::gather},
    {"scatter", CollectiveKind::scatter},
    {"barrier", CollectiveKind::barrier},
}};
// Returns "all-reduce" and so on: the words of the experiment file and of every report.
std::string_view name_of(CollectiveKind kind);
// Returns whether every member sends, receives and computes as much as every other.
constexpr bool is_symmetric(CollectiveKind kind) {
  return kind <= CollectiveKind::all_to_all;
}
// Returns whether the size of such a request is what each member contributes, not what all of them share.
constexpr bool sizes_contributions(CollectiveKind kind) {
  return kind == CollectiveKind::all_gather || kind == CollectiveKind::gather;
}

inline constexpr int max_dimensions = 10;
using DimensionSet = std::bitset<max_dimensions>;

// Says how ranks form groups that communicate. Ranks of a group differ in their positions along these
// dimensions, innermost first, and in nothing else; or the group is listed.
struct Communicator {
  std::string name;
  std::vector<LogicalDimension> dimensions;
  std::vector<RankId> members =
      {};                  // in the order of the list, if there is one; then there are no dimensions
  std::uint64_t tags = 0;  // first tag of messages, where ranks plan their own collectives

  bool lists_members() const { return !members.empty(); }
  bool operator==(const Communicator&) const = default;
};

struct CollectiveRequest {
  CollectiveKind kind = CollectiveKind::all_reduce;
  // For reduce-scatter, all-reduce, all-to-all and reduce: bytes that each NPU holds before it. For
  // all-gather and gather: bytes that each NPU contributes. For broadcast and scatter: what the root has. A
  // barrier does not use it.
  Bytes size;
  DimensionSet dimensions;         // dimensions of the communicator that take part
  bool urgent = false;             // ahead of everything issued normally
  std::uint32_t communicator = 0;  // of the program (program.hpp)
  // For kinds with a root: the root's place among the members of each group, counted along the communicator's
  // dimensions from the innermost on.
  std::uint32_t root = 0;
  // Share of a library's own speed that the software around it reaches. Algorithms that send messages do not
  // use it.
  double efficiency = 1;
  // Set for a collective whose time is known beforehand: it takes this long once all members are there, and
  // nothing is sent.
  std::optional<Time> takes = {};
  // The following two members count only where ranks plan their own collectives.
  int priority = 0;
  std::uint32_t algorithm =
      0;  // instead of the machine's own: number in Machine::algorithms, from 1; 0: none

  bool operator==(const CollectiveRequest&) const = default;
};

}  // namespace orrery::core
