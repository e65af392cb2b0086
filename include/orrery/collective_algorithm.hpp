// Algorithms of collectives that do not come with Orrery, as lists of sends. The whole of one is
// examples/plugins/exchange.cpp.
//
//   class Pairwise : public orrery::CollectiveAlgorithm {
//     orrery::SendList sends(orrery::Collective kind, std::uint32_t members) const override { ... }
//   };
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

// The kinds of collectives for which there can be lists of sends.
enum class Collective : std::uint8_t { all_reduce, reduce_scatter, all_gather, all_to_all };

// One member sends chunks, which lie side by side, to another one.
struct Send {
  std::uint32_t from = 0, to = 0;  // members, which differ
  std::uint32_t chunk = 0;         // the first one, as the sender counts
  std::uint32_t into = 0;          // where the first one lands, as the receiver counts
  std::uint32_t count = 1;         // of chunks
  bool reduces = false;            // the receiver adds the data to what it has there, instead of replacing it
};

// What all members send, in an order in which it could happen one after the other. A send really begins as
// soon as its sender has what it sends: when the sends before it in this list that land in the same chunks of
// its sender have arrived. A chunk is not overwritten before the sends that come earlier in the list have
// taken it.
//
// Data of every member are cut into `chunks` equal parts. For an all-reduce these are the parts of its data.
// For a reduce-scatter, chunks of member m are those from m * chunks / members on, which it has at the end;
// for an all-gather it has them at the beginning. For an all-to-all, sends take chunks of what the member has
// at the beginning, of which those of member m are meant for m, and land in other memory, where those of m
// come from m.
struct SendList {
  std::uint32_t chunks = 1;  // a multiple of the members, except for an all-reduce
  std::vector<Send> sends = {};
};

// Makes lists of sends. A user asks for it by its name among the algorithms of a kind of collective. Several
// threads may use one.
class CollectiveAlgorithm {
 public:
  virtual ~CollectiveAlgorithm() = default;
  // Returns whether it can do this kind of collective among this many members, which are at least two.
  virtual bool runs(Collective kind, std::uint32_t members) const = 0;
  // Requires that it runs them. Equal parameters always give equal lists. Orrery carries every list out once
  // with marks in the place of data, and refuses one that does not compute what the collective has to.
  virtual SendList sends(Collective kind, std::uint32_t members) const = 0;
};

}  // namespace orrery
