// The files that ns-3's back end of ASTRA-sim writes when its config.txt names them (docs/inputs/packets.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/time.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/packet_log.hpp"
#include "network/packet/packet_settings.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery {

struct Ns3Outputs {
  struct File {
    std::string path;  // empty: it is not asked for
    SourceLocation where;
  };

  File completions, pauses, queues;
  Time queues_from;  // queues are looked at from then on
};

// Throws InputError where the folder of a file does not exist.
void require_folders(const Ns3Outputs& outputs);

// Writes what happens during a run into the files for pauses and queues.
class Ns3Log : public PacketLog {
 public:
  // The files appear under their names. Throws InputError where one cannot be written.
  virtual void finish() = 0;
};
// Returns null where neither file is asked for. Keeps a reference to the graph.
std::shared_ptr<Ns3Log> make_ns3_log(const Ns3Outputs& outputs, const NetworkGraph& graph);

// Returns the file of completions: a line per flow, in the order in which they ended.
std::string ns3_completions(const std::vector<Flow>& flows, const FlowsResult& result,
                            const NetworkGraph& graph, const PacketSettings& settings);

}  // namespace orrery
