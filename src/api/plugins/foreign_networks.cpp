// Networks of plug-ins as plans of graphs.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "api/plugins/extensions.hpp"
#include "api/plugins/node_parameters.hpp"
#include "topology/graph/builders/network_plan.hpp"

namespace orrery::core {
namespace {

NodeKind kind_of(orrery::NodeKind kind) {
  switch (kind) {
    case orrery::NodeKind::npu:
      return NodeKind::npu;
    case orrery::NodeKind::nic:
      return NodeKind::nic;
    case orrery::NodeKind::network_switch:
      return NodeKind::network_switch;
  }
  return NodeKind::network_switch;
}

std::string stem_of(const NodePlan& node) {
  if (!node.stem.empty()) return node.stem;
  return node.kind == orrery::NodeKind::nic ? "nic" : "switch";
}

// Checks a network, and puts it together in the terms of graphs.
class ForeignPlan {
 public:
  ForeignPlan(const orrery::NetworkPlan& built, const std::string& what, const SourceLocation& where)
      : what_(what), where_(where) {
    for (const NodePlan& node : built.nodes) check_node(node);
    if (npus_ == 0) refuse("it has no NPU");
    for (std::size_t cable = 0; cable < built.cables.size(); ++cable)
      cables_.push_back({built.cables[cable].from, built.cables[cable].to, cable_of(built, cable)});
    groups_ = built.groups.empty() ? std::vector{static_cast<int>(npus_)} : built.groups;
    double grouped = 1;
    for (const int group : groups_) grouped *= group;
    if (grouped != static_cast<double>(npus_))
      refuse(fmt::format("its groups hold {} NPUs, but it has {}", grouped, npus_));
    nodes_ = built.nodes;
    npus_forward_ = built.npus_forward;
  }

  NetworkPlan plan() const {
    NetworkPlan plan;
    plan.groups = groups_;
    plan.ports = static_cast<int>(nics_ > 0 ? nics_ : npus_);
    plan.npus_forward = npus_forward_;
    plan.add = [self = *this](GraphDraft& draft) { return self.add(draft); };
    return plan;
  }

 private:
  struct Joined {
    std::size_t from, to;
    Cable cable;
  };

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(where_, fmt::format("{} of a plug-in made no network that can be: {}", what_, why));
  }

  void check_node(const NodePlan& node) {
    npus_ += node.kind == orrery::NodeKind::npu ? 1 : 0;
    nics_ += node.kind == orrery::NodeKind::nic ? 1 : 0;
    if (node.kind == orrery::NodeKind::npu && !node.stem.empty())
      refuse(fmt::format("it calls an NPU `{}`, but NPUs have no names of their own", node.stem));
    if (node.reduces && node.kind != orrery::NodeKind::network_switch) refuse("only switches add up data");
  }

  Cable cable_of(const orrery::NetworkPlan& built, std::size_t number) const {
    const CablePlan& plan = built.cables[number];
    const auto reject = [&](const std::string& why) { refuse(fmt::format("its cable {} {}", number, why)); };
    if (plan.from >= built.nodes.size() || plan.to >= built.nodes.size() || plan.from == plan.to)
      reject(fmt::format("leads from node {} to node {}, but there are {} nodes, and the two have to differ",
                         plan.from, plan.to, built.nodes.size()));
    if (!std::isfinite(plan.bandwidth) || plan.bandwidth <= 0)
      reject(fmt::format("has a bandwidth of {} bytes per second", plan.bandwidth));
    if (plan.latency < orrery::Time()) reject("has a latency below 0");
    if (!(plan.loss >= 0 && plan.loss <= 1)) reject(fmt::format("loses a share of {}", plan.loss));
    if (plan.count < 1 || plan.count > max_in_parallel)
      reject(fmt::format("stands for {} cables, but they have to be 1 to {}", plan.count, max_in_parallel));
    Cable cable;
    cable.bandwidth = Bandwidth::from_gb_per_s(plan.bandwidth / 1e9);
    cable.latency = Time::from_ps(plan.latency.picoseconds());
    cable.loss = plan.loss;
    cable.striped = plan.striped;
    cable.count = plan.count;
    cable.one_way = plan.one_way;
    return cable;
  }

  Ports add(GraphDraft& draft) const {
    std::vector<NodeId> ids;
    Ports npus, nics;
    for (const NodePlan& node : nodes_) {
      const bool is_npu = node.kind == orrery::NodeKind::npu;
      ids.push_back(is_npu ? draft.next_npu() : draft.add(kind_of(node.kind), stem_of(node), node.reduces));
      if (is_npu) npus.push_back(ids.back());
      if (node.kind == orrery::NodeKind::nic) nics.push_back(ids.back());
    }
    for (const Joined& joined : cables_) draft.join(ids[joined.from], ids[joined.to], joined.cable);
    return nics.empty() ? npus : nics;
  }

  std::string what_;
  SourceLocation where_;
  std::size_t npus_ = 0, nics_ = 0;
  std::vector<NodePlan> nodes_;
  std::vector<Joined> cables_;
  std::vector<int> groups_;
  bool npus_forward_ = false;
};

}  // namespace

void add_foreign_networks(const Registry& registry, Extensions& extensions) {
  for (const auto& [name, builder] : registry.networks())
    extensions.add(
        name,
        ForeignNetworkBuilder{[what = "the network `" + name + "`", builder = builder](const InputNode& map) {
          NodeParameters keys(map, what);
          keys.expect("build");
          const SourceLocation& where = map.find("build")->where;
          const orrery::NetworkPlan built = call_plugin(what, where, [&] { return builder->build(keys); });
          keys.refuse_others();
          return ForeignPlan(built, what, where).plan();
        }});
}

}  // namespace orrery::core
