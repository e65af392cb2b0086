// Flows by themselves: when messages that share a network arrive.
//
//   const orrery::Document star = {
//       {"build", "switch"}, {"size", 8}, {"link", {{"bandwidth", "50 GB/s"}, {"latency", "1 us"}}}};
//   const orrery::Document flows =
//       orrery::Document::List{orrery::Document::List{0, 7, "1 MB"}, orrery::Document::List{1, 7, "1 MB"}};
//   const orrery::Network network = orrery::Network::from(star).value();
//   std::cout << orrery::simulate_flows(network, flows).value().text();
#pragma once

#include <string>

#include "orrery/diagnostics.hpp"
#include "orrery/document.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/network.hpp"

namespace orrery {

// Says how flows pass the network.
struct FlowOptions {
  std::string network_model = "fluid";  // "analytical", "link", "fluid" or "packet"
  // More keys of the network, as an experiment has them: routing, packets, failures, host-stack and the like.
  Document keys = {};
  bool history = false;   // also the tables "link-history" and, of packets, "switch-history"
  StudyOptions how = {};  // stop and progress
};

// Runs flows as `orrery flows` does. `flows` is a list, or the name of a file. A flow is a list of its
// source, destination and size, or a map with the keys source, destination, bytes and any of start, after,
// channel and priority. The tables are "flows", "links" and, where the network model knows them, "switches"
// and "latencies". The problem says what is wrong with the flows or the network, or that flows never end.
ORRERY_API Result<Findings> simulate_flows(const Network& network, const Document& flows,
                                           const FlowOptions& options = {});

}  // namespace orrery
