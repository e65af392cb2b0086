// Random experiments on networks that are graphs, the same for the same seed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "network/link_use.hpp"
#include "study/run/run_spec.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core::test {

enum class GraphWorkload {
  one_collective,  // by itself, in one chunk
  layers,          // collectives of several kinds under way at the same time
  pipeline,        // stages that send to each other, and exchange gradients
  transformer,     // on a platform
};

struct RandomGraphRun {
  std::string text;  // of the experiment
  RunSpec spec;      // of its only run
};

enum class GraphCollectives { messages, channels, library };

// Returns a run on up to 32 NPUs, in a form of network that has a name, or joined at random. A run may be
// refused all the same: a network may have no channels, and groups of a transformer may not fit its
// dimensions.
RandomGraphRun random_graph_run(std::uint64_t seed, GraphWorkload workload,
                                GraphCollectives collectives = GraphCollectives::messages);

// Returns a network as a map of keys, with 2 to 32 NPUs.
std::string random_graph_text(Random& random);

// Returns the same run on a network of the same form with other links.
RunSpec with_links(const RunSpec& spec, const std::function<void(LinkId, LinkProperties&)>& change);

// Returns a link that messages of the run have passed, in half of all cases the busiest one.
LinkId used_link(const NetworkGraph& graph, const std::vector<LinkUse>& used, Random& random);

}  // namespace orrery::core::test
