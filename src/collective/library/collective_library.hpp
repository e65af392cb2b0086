// Times collectives of a real library, such as NCCL, on GPUs in nodes, by closed forms.
//
// A group's members lie in nodes; inside a node they use one class of links, between nodes another. A library
// has several algorithms and protocols and takes the pair that is quickest, as NCCL's tuner does. Under the
// simple protocol one takes
//
//   launch + hops between nodes * latency + steps inside nodes * latency
//          + max(bytes / bandwidth inside, bytes / bandwidth between)
//
// with the bytes of the busiest link and the class's efficiency (transfer_demand.cpp has both per algorithm).
// LL128 and LL have less latency and bandwidth. Under LL128 few pieces stream through few channels, so that
// the longer one of the times of latency and bytes counts inside a node. Many pieces fill all channels, with
// nearly the whole bandwidth. Under LL a step takes the same time on all links, more if it has more to send.
//
// Libraries of hosts, such as Gloo and MPI, add what the host adds up and copies. Their algorithms are in
// message_algorithms.hpp, and what PyTorch has of them in backend.hpp.
//
// The formulas are valid for a group that has its links for itself, or while all GPUs of its nodes do the
// same: a GPU then has its share of the node's NICs. They were fitted from 4 bytes to 16 GiB
// (scripts/fit-collectives). Below 1 MiB, measurements of like machines differ by a factor of up to 2.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/library/library_constants.hpp"
#include "collective/library/link_choice.hpp"
#include "collective/library/transfer_demand.hpp"
#include "collective/plan/system_config.hpp"

namespace orrery::core {

// The machine, in words of the library's file.
struct ClusterLinks {
  LinkChoice inside;   // the links inside a node, such as "nvlink4"
  LinkChoice between;  // those between nodes, such as "ib-ndr"; empty: there is but one node
  int gpus_per_node = 8;
  int nics_per_node = 0;                // cards of class `between`; 0: one per GPU
  std::optional<Buffers> buffers = {};  // none: where the library has them
  Caller caller = Caller::torch;
};

struct CollectiveCost {
  double seconds = 0;
  // The library's choice; empty if nothing is sent.
  std::optional<LibraryAlgorithm> algorithm;
  std::optional<Protocol> protocol;
  // No algorithm is quicker than this, as links carry no more than their bandwidth.
  double least_seconds = 0;
};

// The four parts of a collective's time; they add up to it.
struct CollectiveTerms {
  CollectiveCost cost;
  double launch_seconds = 0;
  double hop_seconds = 0;   // latency of all steps between nodes
  double step_seconds = 0;  // latency of steps inside nodes, as far as bytes do not hide it
  // Time of the busiest link's bytes, as far as latency does not hide it, and of what hosts add up and copy.
  double byte_seconds = 0;
  double hops = 0;       // steps between nodes
  bool between = false;  // the busiest link is one between nodes
};

class CollectiveLibrary {
 public:
  // Throws InputError at `where`: here for classes that the library lacks, and in the functions below for
  // groups that the machine cannot have.
  CollectiveLibrary(const LibraryConstants& constants, const ClusterLinks& links,
                    const SourceLocation& where);

  // `bytes` are those of the whole tensor. For an all-reduce they are those of each member's buffer;
  // all-gather: of the result; reduce-scatter: of each member's input; all-to-all: of what each member has
  // for all, itself included; broadcast, reduce, gather and scatter: of the buffer that the root has, or
  // wants. A barrier does not use them. A group of one takes no time. `only` is an algorithm that is given,
  // as by NCCL_ALGO.
  CollectiveCost cost(CollectiveKind kind, double bytes, const GroupPlacement& group,
                      std::optional<LibraryAlgorithm> only = {}) const;
  // Returns the parts that this cost consists of.
  CollectiveTerms terms(CollectiveKind kind, double bytes, const GroupPlacement& group) const;
  // Returns the cost of a send with its receive, from GPU to GPU.
  CollectiveCost send_cost(double bytes, bool same_node) const;

  double seconds(CollectiveKind kind, double bytes, const GroupPlacement& group) const {
    return cost(kind, bytes, group).seconds;
  }
  double send_seconds(double bytes, bool same_node) const { return send_cost(bytes, same_node).seconds; }

  const LibraryConstants& constants() const { return constants_; }
  const ClusterLinks& links() const { return links_; }
  // Returns the numbers that these links have.
  const GroupLinks& numbers_of_links() const { return group_links_; }
  // Returns notes on what was assumed for links of which only the bandwidth is known (link_choice.hpp).
  const std::vector<LinkNote>& notes() const { return notes_; }

 private:
  struct Choice {
    CollectiveCost cost;
    const TransferDemand* demand = nullptr;
  };
  Choice quickest(const std::vector<TransferDemand>& demands) const;
  bool can_run(const TransferDemand& demand, Protocol protocol) const;
  double seconds_of(const TransferDemand& demand, Protocol protocol) const;
  double launch_seconds(Protocol protocol) const;
  double in_node_seconds(const TransferDemand& demand, Protocol protocol) const;
  double hop_seconds(Protocol protocol, double bytes) const;
  double ll_growth(double bytes) const;
  void require_group(const GroupPlacement& group) const;
  void require_operation(LibraryOperation operation) const;

  LibraryConstants constants_;
  ClusterLinks links_;
  GroupLinks group_links_;
  double launch_seconds_ = 0;
  SourceLocation where_;
  std::vector<LinkNote> notes_;
};

// Finds a library that comes with the program, such as "nccl", or a file, which is any name that has a "/"
// or ends in ".yaml" or ".yml". Throws InputError at `where` for unknown libraries and classes.
CollectiveLibrary find_collective_library(const std::string& name_or_file, const ClusterLinks& links,
                                          const SourceLocation& where, const FileLoader& load);

}  // namespace orrery::core
