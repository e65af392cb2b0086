// A library's closed forms carry out collectives (docs/models/library-collectives.md).
#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/library/library_collectives.hpp"
#include "collective/library/library_time.hpp"
#include "simulate/collectives/collective_policies.hpp"

namespace orrery::core {

namespace {

// Refuses what the closed forms of a library do not cover.
void check_library(const Program& program, const Machine& machine) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(machine.system.library ? machine.system.library->where : SourceLocation(), why);
  };
  if (machine.network.model->carries_collectives && program.is_uniform())
    refuse(
        "a library's collectives are closed forms that send no messages, and this workload sends none "
        "besides; leave the network model or the library out");
  if (!machine.network.slow_links.empty())
    refuse("a library's closed forms know no slow links; leave `slow-links` or the library out");
}

class LibraryExplainer final : public CollectiveExplainer {
 public:
  LibraryExplainer(const Program& program, const Machine& machine)
      : CollectiveExplainer(machine), program_(program), library_(*machine.library) {}

  ExchangeCost of(std::uint32_t, const CollectiveRequest& request, int) override {
    const GroupPlacement group = placement_of(program_.communicators[request.communicator],
                                              library_.links().gpus_per_node, request.dimensions);
    ExchangeCost cost;
    cost.chunks = 1;
    cost.sent_bytes = request.size.as_double();
    const double bytes = request.size.as_double() * (sizes_contributions(request.kind) ? group.members : 1);
    const CollectiveTerms terms = library_.terms(request.kind, bytes, group);
    if (!terms.cost.algorithm) return cost;
    cost.algorithm = fmt::format("{} {}", word_of(library_algorithm_words, *terms.cost.algorithm),
                                 word_of(protocol_words, *terms.cost.protocol));
    cost.steps = terms.hops;
    const auto reached = [&](double seconds) { return Seconds(seconds / request.efficiency); };
    cost.links = reached(terms.byte_seconds);
    cost.latency = reached(terms.launch_seconds + terms.hop_seconds + terms.step_seconds);
    cost.link = link(!terms.between);
    return cost;
  }

  ExchangeCost of_message(RankId source, RankId destination, Bytes bytes) override {
    ExchangeCost cost = untimed_message(bytes);
    const int gpus = library_.links().gpus_per_node;
    const bool same_node = npu_of(source) / gpus == npu_of(destination) / gpus;
    cost.latency = Seconds(library_.send_seconds(0, same_node));
    cost.links = Seconds(library_.send_seconds(bytes.as_double(), same_node)) - *cost.latency;
    cost.link = link(same_node);
    return cost;
  }

 private:
  std::string link(bool in_node) const {
    const ClusterLinks& links = library_.links();
    return in_node ? fmt::format("{} in a node", links.inside.text())
                   : fmt::format("{} between nodes", links.between.text());
  }

  const Program& program_;
  const CollectiveLibrary& library_;
};

}  // namespace

const CollectivePolicy library_policy{
    .name = "library",
    .as_a_whole = true,
    .applies = [](const Program&, const Machine& machine) { return machine.library != nullptr; },
    .check = check_library,
    .make = [](const CollectiveRun& run) -> std::unique_ptr<RecordedCollectives> {
      return std::make_unique<LibraryCollectives>(run.loop, *run.machine.library, run.ranks, run.listener);
    },
    .survey = [](const Program& program, const Machine&) { return survey_of_groups(program); },
    .explain = [](const Program& program, const Machine& machine) -> std::unique_ptr<CollectiveExplainer> {
      return std::make_unique<LibraryExplainer>(program, machine);
    }};

}  // namespace orrery::core
