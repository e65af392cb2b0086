// An algorithm of collectives says who sends what to whom in a phase, and after what.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/time.hpp"
#include "collective/algorithms/schedule.hpp"
#include "topology/reduction_trees.hpp"

namespace orrery::core {

struct AlgorithmKind;
using Algorithm = const AlgorithmKind*;
class WrittenSource;

// Describes the phase for which a schedule is made.
struct PhaseRequest {
  CollectiveKind kind;
  Bytes input;                             // per member, before the phase
  std::uint32_t members = 2;               // >= 2
  bool backward = false;                   // rings and direct: turn the other way
  int window = 0;                          // direct: peers at a time, 0 for all
  bool odd = false;                        // the second of the two forms of an algorithm that alternates
  SourceLocation where = {};               // place where the algorithm was chosen, for errors
  Time reduction = {};                     // programs: time to add `input` received bytes to own ones
  const WrittenSource* written = nullptr;  // algorithms from files and plug-ins
  // Algorithms from files and plug-ins: runs phases that these are not for; null: nobody does.
  Algorithm otherwise = nullptr;
  // Algorithms in which switches add up: the switches of the groups, null where nobody looks for them; the
  // position of the root; and the rate at which a switch makes sums, 0 where it keeps up with its links.
  const ReductionTrees* trees = nullptr;
  std::uint32_t root = 0;
  double switch_bytes_per_s = 0;
};

struct AlgorithmKind {
  std::string_view name;  // the word by which users choose it
  // Makes the schedule of a phase. Throws InputError when the algorithm cannot run it.
  Schedule (*make)(const PhaseRequest& request);
  bool symmetric = true;  // it runs the kinds in which every member does the same
  bool rooted = false;    // it runs the kinds with a root, and the barrier
  // Kinds that it does not run all the same.
  std::span<const CollectiveKind> but_not = {};
  bool has_window = false;  // users may say to how many peers it sends at a time
  bool alternates = false;  // phases that follow one another in a dimension run it in two forms by turns
  // Its messages carry all bytes whatever the collective is, so that members hold as many bytes after it as
  // before.
  bool carries_all = false;
  bool from_file = false;   // users write a file that says what it does
  bool in_network = false;  // switches add up what passes them

  bool runs(CollectiveKind kind) const {
    return (is_symmetric(kind) ? symmetric : rooted) && std::ranges::find(but_not, kind) == but_not.end();
  }
  // Returns the bytes that each member holds after a phase. After a gather these are the bytes that the root
  // holds.
  Bytes output(CollectiveKind kind, Bytes input, std::uint32_t members) const;
};

}  // namespace orrery::core
