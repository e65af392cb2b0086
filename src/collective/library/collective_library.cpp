#include "collective/library/collective_library.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "collective/library/library_file.hpp"

namespace orrery::core {

namespace {

// Adds a note where a choice has the switches of a class reduce that cannot do so.
template <class Link>
void note_added_reduction(const LinkChoice& choice, const std::vector<Link>& classes,
                          std::vector<LinkNote>& notes) {
  const InputNode* const efficiency = choice.node().find("switch-efficiency");
  const InputNode* const base = efficiency ? choice.node().find("base") : nullptr;
  const auto known = base ? std::ranges::find(classes, base->text, &Link::name) : std::ranges::end(classes);
  if (known == classes.end() || known->switch_efficiency > 0) return;
  std::vector<std::string_view> reducing;
  for (const Link& link : classes)
    if (link.switch_efficiency > 0) reducing.push_back(link.name);
  notes.push_back(
      {efficiency->where,
       fmt::format("`switch-efficiency` has switches reduce, which those of the class `{}` cannot; "
                   "leave it out, or choose a class whose switches can{}",
                   known->name, reducing.empty() ? "" : fmt::format(": {}", alternatives(reducing)))});
}

// Returns how many times the whole tensor passes the link of one of `ends` members or nodes, each of which
// has `ends` equal parts of it, or makes one of them.
double least_rounds(CollectiveKind kind, double ends, bool switches_reduce) {
  const double without_own = (ends - 1) / ends;
  switch (kind) {
    case CollectiveKind::barrier:
      return 0;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return 1;
    case CollectiveKind::all_reduce:
      return switches_reduce ? without_own : 2 * without_own;
    default:
      return without_own;
  }
}

// A group has at least one card in each node.
double nominal_node_bandwidth(int per_node, const GroupLinks& links) {
  return std::max(1.0, per_node * links.nics_per_gpu) * links.between.bandwidth;
}

// Returns the seconds in which the links carry what each member or node has to send or receive, at their
// whole bandwidth and whatever the algorithm is. An all-reduce passes each link 2 (n - 1) / n times, or
// (n - 1) / n times where switches reduce (Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009).
double least_collective_seconds(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                const GroupLinks& links) {
  if (group.members == 1) return 0;
  if (group.nodes() == 1)
    return bytes * least_rounds(kind, group.members, links.inside.switch_efficiency > 0) /
           links.inside.bandwidth;
  // In an all-to-all each member of a node has `bytes` for all members.
  const double of_node = kind == CollectiveKind::all_to_all ? bytes * group.per_node : bytes;
  return of_node * least_rounds(kind, group.nodes(), links.between.switch_efficiency > 0) /
         nominal_node_bandwidth(group.per_node, links);
}

double least_send_seconds(double bytes, bool same_node, const GroupLinks& links) {
  return bytes / (same_node ? links.inside.bandwidth : nominal_node_bandwidth(1, links));
}

}  // namespace

CollectiveLibrary::CollectiveLibrary(const LibraryConstants& constants, const ClusterLinks& links,
                                     const SourceLocation& where)
    : constants_(constants), links_(links), where_(where) {
  const auto chosen = [this](auto found) {
    if (found.note) notes_.push_back(*found.note);
    return std::move(found.link);
  };
  group_links_.inside = chosen(inside_link(links.inside, constants, where));
  note_added_reduction(links.inside, constants.inside, notes_);
  group_links_.step_growth = constants.step_growth;
  group_links_.buffers = links.buffers.value_or(constants.buffers);
  launch_seconds_ = group_links_.inside.launch_seconds.value_or(constants.launch_seconds);
  if (links.between.empty()) return;
  group_links_.between = chosen(between_link(links.between, constants, where));
  note_added_reduction(links.between, constants.between, notes_);
  const int nics = links.nics_per_node > 0 ? links.nics_per_node : links.gpus_per_node;
  group_links_.nics_per_gpu = static_cast<double>(nics) / links.gpus_per_node;
}

void CollectiveLibrary::require_group(const GroupPlacement& group) const {
  if (group.members < 1 || group.per_node < 1 || group.members % group.per_node != 0)
    throw InputError(where_,
                     fmt::format("{} members cannot be {} in each node, take a divisor of the members",
                                 group.members, group.per_node));
  if (group.per_node > links_.gpus_per_node)
    throw InputError(where_, fmt::format("{} members in each node, but a node has {} GPUs, take fewer",
                                         group.per_node, links_.gpus_per_node));
  if (group.nodes() > 1 && links_.between.empty())
    throw InputError(
        where_,
        fmt::format("a group over {} nodes needs a class of links between nodes, name one", group.nodes()));
}

void CollectiveLibrary::require_operation(LibraryOperation operation) const {
  if (constants_.backend && links_.caller == Caller::torch)
    core::require_operation(*constants_.backend, operation, group_links_.buffers, where_);
}

bool CollectiveLibrary::can_run(const TransferDemand& demand, Protocol protocol) const {
  return constants_[protocol].known && !(protocol == Protocol::ll && demand.in_switches);
}

double CollectiveLibrary::seconds_of(const TransferDemand& demand, Protocol protocol) const {
  return launch_seconds(protocol) + demand.hops * hop_seconds(protocol, demand.bytes) +
         in_node_seconds(demand, protocol) + demand.host_seconds;
}

double CollectiveLibrary::launch_seconds(Protocol protocol) const {
  return launch_seconds_ * constants_[protocol].launch;
}

double CollectiveLibrary::in_node_seconds(const TransferDemand& demand, Protocol protocol) const {
  const ProtocolConstants& share = constants_[protocol];
  const double all_bytes = demand.byte_seconds();
  const double bytes = all_bytes / share.bandwidth;
  if (protocol == Protocol::ll)
    return std::min(demand.inside_steps * share.step_seconds, demand.inside_latency) *
               ll_growth(demand.bytes) +
           bytes;
  const double latency = demand.inside_latency * share.latency;
  if (protocol == Protocol::simple) return latency + bytes;
  const double streaming = std::max(latency, bytes);
  const bool fills =
      share.full_bandwidth > 0 && demand.algorithm == LibraryAlgorithm::ring && demand.hops == 0;
  if (!fills) return streaming;
  return std::min(streaming, demand.inside_latency * share.full_latency + all_bytes / share.full_bandwidth);
}

namespace {

// A collective of a little more than `eager` is partly sent without asking, one of three times as much is
// not. So time grows no faster than bytes.
double share_that_asks(const BetweenLink& link, double bytes) {
  const auto eager = static_cast<double>(link.eager.count());
  return eager > 0 ? std::clamp((bytes / eager - 1) / 2, 0.0, 1.0) : 1;
}

}  // namespace

double CollectiveLibrary::hop_seconds(Protocol protocol, double bytes) const {
  const BetweenLink& between = group_links_.between;
  const ProtocolConstants& ll = constants_[Protocol::ll];
  const double rendezvous = between.rendezvous_seconds * share_that_asks(between, bytes);
  switch (protocol) {
    case Protocol::simple:
      return between.step_seconds;
    case Protocol::ll128:
      return between.short_step_seconds;
    default:
      if (!ll.known)
        return constants_[Protocol::ll128].known ? between.short_step_seconds : between.step_seconds;
      return (std::min(between.ll_step_seconds.value_or(ll.hop_seconds), between.short_step_seconds) +
              rendezvous) *
             ll_growth(bytes);
  }
}

// The 512 threads of one of NCCL's channels send 8 bytes of data each at a time under LL.
double CollectiveLibrary::ll_growth(double bytes) const {
  constexpr double threads_bytes = 512 * 8;
  return 1 + constants_[Protocol::ll].growth * bytes / (bytes + threads_bytes);
}

CollectiveLibrary::Choice CollectiveLibrary::quickest(const std::vector<TransferDemand>& demands) const {
  Choice best;
  for (const TransferDemand& demand : demands) {
    for (const auto& [word, protocol] : protocol_words) {
      if (!can_run(demand, protocol)) continue;
      const double seconds = seconds_of(demand, protocol);
      if (!best.demand || seconds < best.cost.seconds)
        best = {{seconds, demand.algorithm, protocol}, &demand};
    }
  }
  return best;
}

CollectiveCost CollectiveLibrary::cost(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                       std::optional<LibraryAlgorithm> only) const {
  require_group(group);
  require_operation(kind);
  if (group.members == 1) return {};
  std::vector<TransferDemand> demands = demands_of(kind, bytes, group, group_links_, constants_);
  if (only) {
    std::erase_if(demands, [&](const TransferDemand& demand) { return demand.algorithm != *only; });
    if (demands.empty())
      throw InputError(where_, fmt::format("there is no {} for {} of {} members in {} nodes on {}, leave the "
                                           "algorithm to the library",
                                           backquoted(word_of(library_algorithm_words, *only)), name_of(kind),
                                           group.members, group.nodes(), links_.inside.text()));
  }
  CollectiveCost cost = quickest(demands).cost;
  cost.least_seconds = least_collective_seconds(kind, bytes, group, group_links_);
  return cost;
}

CollectiveTerms CollectiveLibrary::terms(CollectiveKind kind, double bytes,
                                         const GroupPlacement& group) const {
  require_group(group);
  require_operation(kind);
  CollectiveTerms terms;
  if (group.members == 1) return terms;
  const std::vector<TransferDemand> demands = demands_of(kind, bytes, group, group_links_, constants_);
  const Choice choice = quickest(demands);
  terms.cost = choice.cost;
  terms.launch_seconds = launch_seconds(*terms.cost.protocol);
  terms.hops = choice.demand->hops;
  terms.between = choice.demand->between_seconds > choice.demand->inside_seconds;
  const double host = choice.demand->host_seconds;
  terms.hop_seconds = terms.hops * hop_seconds(*terms.cost.protocol, choice.demand->bytes);
  const double inside = terms.cost.seconds - terms.launch_seconds - terms.hop_seconds - host;
  const double all_bytes = choice.demand->byte_seconds();
  terms.byte_seconds = std::min(inside, all_bytes / constants_[*terms.cost.protocol].bandwidth);
  // Where many pieces fill all channels, nearly the whole bandwidth is reached.
  const double full = constants_[*terms.cost.protocol].full_bandwidth;
  if (inside < all_bytes / constants_[*terms.cost.protocol].bandwidth && full > 0)
    terms.byte_seconds = std::min(inside, all_bytes / full);
  terms.step_seconds = inside - terms.byte_seconds;
  terms.byte_seconds += host;
  return terms;
}

// A single message fills no pipeline: it waits for the shortest latency there is, and has the whole
// bandwidth.
CollectiveCost CollectiveLibrary::send_cost(double bytes, bool same_node) const {
  require_group({2, same_node ? 2 : 1});
  require_operation({});
  const InsideLink& inside = group_links_.inside;
  const ProtocolConstants& ll = constants_[Protocol::ll];
  double step = group_links_.step_seconds(2);
  if (ll.known) step = std::min(step, ll.step_seconds) * ll_growth(bytes);
  const double latency = same_node ? step : hop_seconds(Protocol::ll, bytes);
  const double bandwidth = same_node ? inside.ring_bandwidth(2)
                                     : group_links_.sending_bandwidth(1, 1) * constants_.pairwise_between;
  const double staged = group_links_.buffers == Buffers::gpu ? staged_seconds(2 * bytes, constants_) : 0;
  return {constants_.send_seconds + latency + bytes / bandwidth + staged, LibraryAlgorithm::pairwise,
          Protocol::simple, least_send_seconds(bytes, same_node, group_links_)};
}

CollectiveLibrary find_collective_library(const std::string& name_or_file, const ClusterLinks& links,
                                          const SourceLocation& where, const FileLoader& load) {
  return CollectiveLibrary(find_library_constants(name_or_file, where, load), links, where);
}

}  // namespace orrery::core
