// Chooses the algorithm that carries out an all-reduce on channels. It is the one that NCCL's tuner would
// take among those that the group has, as the closed forms of the library tell
// (docs/models/library-collectives.md).
#pragma once

#include <optional>
#include <vector>

#include "collective/library/collective_library.hpp"
#include "topology/channels/group_channels.hpp"

namespace orrery {

class ChannelChoice {
 public:
  // `algorithms` are those that the group has. It has at least two members.
  ChannelChoice(const GroupChannels& channels, std::vector<LibraryAlgorithm> algorithms,
                const SourceLocation& where);

  LibraryAlgorithm of_all_reduce(Bytes bytes) const;

 private:
  std::vector<LibraryAlgorithm> algorithms_;
  GroupPlacement group_;
  CollectiveLibrary library_;
};

}  // namespace orrery
