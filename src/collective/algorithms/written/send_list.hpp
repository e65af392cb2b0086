// A collective as a list of sends, which says less than thread blocks and steps do, and is easier to write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/algorithms/written/written_algorithm.hpp"

namespace orrery::core {

// The sends are in an order in which they could happen one after the other
// (include/orrery/collective_algorithm.hpp).
struct SendList {
  struct Send {
    std::uint32_t from = 0, to = 0;     // members
    std::uint32_t chunk = 0, into = 0;  // first chunks, as sender and receiver count
    std::uint32_t count = 1;            // of chunks
    bool reduces = false;
  };

  CollectiveKind kind = CollectiveKind::all_reduce;
  std::uint32_t members = 2;
  std::uint32_t chunks = 1;  // into which the data of a member are cut
  std::vector<Send> sends;
};

// Returns an algorithm in which every member has a thread block for each member that it sends to and one for
// each that it receives from. Throws InputError at `where` for members and chunks that do not exist, and
// where the sends do not compute the collective; `name` is that of the algorithm.
WrittenAlgorithm written_of(const SendList& list, const std::string& name, const SourceLocation& where);

}  // namespace orrery::core
