// The files that ns-3's back end of ASTRA-sim writes when its config.txt names them (docs/inputs/packets.md).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/time.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/links/packet_log.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/graph/formats/node_numbers.hpp"

namespace orrery::core {

struct Ns3Outputs {
  struct File {
    std::string path;  // empty: it is not asked for
    SourceLocation where;
  };

  File completions, pauses, queues;
  Time queues_from;  // queues are looked at from this time on
  bool traces = false;
  File trace, trace_list;            // the latter names the nodes whose packets are traced
  std::vector<NodeId> traced_nodes;  // nodes that the list names
};

// Throws InputError where the folder of a file does not exist.
void require_folders(const Ns3Outputs& outputs);

// Writes what happens during a run into a file.
class Ns3Log : public PacketLog {
 public:
  // Closes the file, which then appears under its name. Throws InputError where it cannot be written.
  virtual void finish() = 0;
};
// Returns the logs that are asked for. They keep references to the graph. Throws InputError where the trace
// has no room for its nodes.
std::vector<std::shared_ptr<Ns3Log>> make_ns3_logs(const Ns3Outputs& outputs, const NetworkGraph& graph,
                                                   const PacketSettings& settings);
std::shared_ptr<Ns3Log> make_ns3_trace(const Ns3Outputs& outputs, const NetworkGraph& graph,
                                       const PacketSettings& settings);

// Reads the list of nodes to trace, in which their count is followed by their numbers. The nodes are those of
// `graph`.
std::vector<NodeId> read_traced_nodes(std::string_view text, const std::string& file,
                                      const NetworkGraph& graph);

// Returns the number of a link among those that leave from its node, from 1.
std::vector<std::uint32_t> interfaces_of(const NetworkGraph& graph);

// Returns the file of completions: a line per flow, in the order in which they ended.
std::string ns3_completions(const std::vector<Flow>& flows, const FlowsResult& result,
                            const NetworkGraph& graph, const PacketSettings& settings);

}  // namespace orrery::core
