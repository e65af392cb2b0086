#include "topology/graph/changes/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include "base/diagnostics/nearest_names.hpp"
#include "base/text/readable.hpp"
#include "base/text/token_reader.hpp"
#include "topology/graph/graph_draft.hpp"
#include "topology/graph/measures/reachability.hpp"
#include "topology/topology.hpp"

namespace orrery::core {
namespace {

// Reads, for example, "50%" or "0.5".
double share_of(const InputNode& node, const KeyFacts& key) {
  std::string_view text = scalar_of(node, key.name);
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const std::optional<double> number = parse_real(text);
  const double share = number.value_or(0) / (percent ? 100 : 1);
  if (share > 0 && share < 1) return share;
  reject_value(node, key.name,
               "a share of the link's bandwidth such as `50%`, above 0 and below 100%; a link without "
               "`bandwidth` is broken");
}

struct FailureEntry {
  const InputNode *link = nullptr, *node = nullptr, *until_node = nullptr, *cables_node = nullptr;
  Time at;
  std::optional<Time> until;
  std::optional<int> cables;
  double share = 0;
};
constexpr Key<FailureEntry> entry_keys[] = {
    key::kept<&FailureEntry::link>(
        "link", "two nodes", "this or `node`",
        "all cables between two nodes, such as `leaf0-spine1`, both ways; `leaf0->spine1` is one way"),
    key::kept<&FailureEntry::node>("node", "a node", "this or `link`",
                                   "all links of a node, such as `spine3`"),
    key::integer<&FailureEntry::cables>(
        "cables", 1, max_in_parallel, "all",
        "number of the cables that break, of those that lie side by side; the first ones break"),
    key::time<&FailureEntry::at>("at", "0 s", "time from which on it is broken"),
    key::time<&FailureEntry::until>("until", "for good", "time at which it is again as it was before"),
    key::declared<share_of, KeyType::other, &FailureEntry::share>("bandwidth", "none: it is broken",
                                                                  "share of the bandwidth that is left")
        .of("a share such as `50%`")
        .trying("50%"),
};

// An entry with its links.
struct Failure {
  FailureEntry entry;
  SourceLocation where;
  std::vector<LinkId> links;

  bool holds_at(Time time) const { return entry.at <= time && (!entry.until || time < *entry.until); }
  bool meets(const Failure& other) const { return holds_at(other.entry.at) || other.holds_at(entry.at); }
};

class FailureReader {
 public:
  explicit FailureReader(const NetworkGraph& graph) : graph_(graph) {
    for (const NodeId id : graph.all_nodes()) nodes_.emplace(graph.node(id).name, id);
  }

  void read(const InputNode& written);
  LinkChanges changes() const;

 private:
  std::optional<NodeId> find(std::string_view name) const;
  NodeId node_of(const InputNode& node) const;
  [[noreturn]] void reject_name(const InputNode& node, std::string_view name) const;
  std::vector<LinkId> links_of_node(NodeId node) const;
  std::vector<LinkId> links_named(const InputNode& node) const;
  std::vector<LinkId> links_between(NodeId from, NodeId to) const;
  void keep_first_cables(Failure& failure) const;
  void refuse_overlap(const Failure& failure) const;
  void append_changes(LinkId link, const std::vector<std::size_t>& failures, LinkChanges& changes) const;

  const NetworkGraph& graph_;
  std::unordered_map<std::string_view, NodeId> nodes_;
  std::vector<Failure> failures_;
};

std::optional<NodeId> FailureReader::find(std::string_view name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? std::nullopt : std::optional(found->second);
}

void FailureReader::reject_name(const InputNode& node, std::string_view name) const {
  std::vector<std::string_view> names;
  for (const NodeId id : graph_.all_nodes()) names.push_back(graph_.node(id).name);
  throw InputError(node.where, none_of_name("node", name, names));
}

NodeId FailureReader::node_of(const InputNode& node) const {
  const std::string& name = scalar_of(node, "node");
  const std::optional<NodeId> id = find(name);
  if (!id) reject_name(node, name);
  return *id;
}

std::vector<LinkId> FailureReader::links_of_node(NodeId node) const {
  std::vector<LinkId> links(graph_.links_from(node).begin(), graph_.links_from(node).end());
  links.insert(links.end(), graph_.links_to(node).begin(), graph_.links_to(node).end());
  return links;
}

std::vector<LinkId> FailureReader::links_between(NodeId from, NodeId to) const {
  std::vector<LinkId> links;
  for (const LinkId link : graph_.links_from(from))
    if (graph_.link(link).to == to) links.push_back(link);
  return links;
}

// Names may have dashes of their own, so each one is tried.
std::vector<LinkId> FailureReader::links_named(const InputNode& node) const {
  const std::string_view text = scalar_of(node, "link");
  if (text.find('-') == text.npos)
    reject_value(node, "link", "two nodes with a dash between them, such as `leaf0-spine1`");
  std::string_view wrong;
  for (std::size_t dash = text.find('-'); dash != text.npos; dash = text.find('-', dash + 1)) {
    const bool one_way = text.substr(dash).starts_with("->");
    const std::string_view from = text.substr(0, dash), to = text.substr(dash + (one_way ? 2 : 1));
    const std::optional<NodeId> a = find(from), b = find(to);
    if (!a || !b) {
      if (wrong.empty()) wrong = a ? to : from;
      continue;
    }
    std::vector<LinkId> links = links_between(*a, *b);
    if (!one_way) {
      const std::vector<LinkId> back = links_between(*b, *a);
      links.insert(links.end(), back.begin(), back.end());
    }
    if (!links.empty()) return links;
    std::vector<NodeId> neighbours;
    for (const LinkId link : graph_.links_from(*a)) neighbours.push_back(graph_.link(link).to);
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    throw InputError(
        node.where,
        fmt::format("no link leads from {} to {}; from {} links lead to {}", backquoted(from), backquoted(to),
                    backquoted(from), neighbours.empty() ? "nobody" : names_of_nodes(graph_, neighbours)));
  }
  reject_name(node, wrong);
}

// Keeps this many links in each direction.
void FailureReader::keep_first_cables(Failure& failure) const {
  const int cables = *failure.entry.cables;
  std::map<NodeId, int> kept;  // by the node that sends
  std::erase_if(failure.links, [&](LinkId link) { return ++kept[graph_.link(link).from] > cables; });
  for (const auto& [from, count] : kept)
    if (count < cables)
      throw InputError(
          failure.entry.cables_node->where,
          fmt::format("only {} {} between these nodes", count, count == 1 ? "cable lies" : "cables lie"));
}

void FailureReader::refuse_overlap(const Failure& failure) const {
  const std::set<LinkId> links(failure.links.begin(), failure.links.end());
  for (const Failure& other : failures_) {
    if (!other.entry.link != !failure.entry.link || !failure.meets(other)) continue;
    const auto both = std::ranges::find_if(other.links, [&](LinkId link) { return links.contains(link); });
    // Two nodes that are joined share links, and may break at the same time.
    if (both == other.links.end() ||
        (failure.entry.node && failure.entry.node->text != other.entry.node->text))
      continue;
    throw InputError(
        failure.where,
        fmt::format("the same {} is in the entry of {}, at the same time; write one entry after the "
                    "other, such as `until: {:.12g} us` there",
                    failure.entry.link ? "link" : "node", other.where.text(),
                    std::max(failure.entry.at, other.entry.at).us()));
  }
}

void FailureReader::read(const InputNode& written) {
  Failure failure;
  failure.where = written.where;
  FailureEntry& entry = failure.entry;
  read_map(written, "an entry of `failures`", entry_keys, entry);
  entry.until_node = written.find("until");
  entry.cables_node = written.find("cables");
  if (!entry.link == !entry.node)
    throw InputError(written.where, entry.link
                                        ? "`link` cannot stand beside `node`: write two entries"
                                        : "an entry of `failures` needs the key `link` or the key `node`");
  if (entry.node && entry.cables)
    throw InputError(entry.cables_node->where, "`cables` are those of a `link`: leave it out beside `node`");
  if (entry.until && *entry.until <= entry.at)
    throw InputError(entry.until_node->where, "`until` has to be later than `at`");
  failure.links = entry.link ? links_named(*entry.link) : links_of_node(node_of(*entry.node));
  if (entry.cables) keep_first_cables(failure);
  refuse_overlap(failure);
  failures_.push_back(std::move(failure));
}

// Where entries for a link and its ends hold at the same time, a break counts. If none of them is a break,
// all their shares count.
void FailureReader::append_changes(LinkId link, const std::vector<std::size_t>& failures,
                                   LinkChanges& changes) const {
  std::map<Time, SourceLocation> times;
  for (const std::size_t number : failures) {
    const Failure& failure = failures_[number];
    times[failure.entry.at] = failure.where;
    if (failure.entry.until) times.try_emplace(*failure.entry.until, failure.where);
  }
  double before = 1;
  for (const auto& [time, where] : times) {
    double share = 1;
    for (const std::size_t number : failures)
      if (failures_[number].holds_at(time)) share *= failures_[number].entry.share;
    if (share != before) changes.list.push_back({time, link, share, where});
    before = share;
  }
}

LinkChanges FailureReader::changes() const {
  std::map<LinkId, std::vector<std::size_t>> by_link;
  for (std::size_t i = 0; i < failures_.size(); ++i)
    for (const LinkId link : failures_[i].links) by_link[link].push_back(i);
  LinkChanges changes;
  for (const auto& [link, failures] : by_link) append_changes(link, failures, changes);
  std::ranges::stable_sort(changes.list, {}, &LinkChange::at);
  return changes;
}

}  // namespace

LinkChanges read_failures(const InputNode& entries, const NetworkGraph& graph) {
  FailureReader reader(graph);
  if (entries.kind != InputNode::Kind::list) {
    reader.read(entries);
  } else {
    for (const InputNode& entry : entries.items) reader.read(entry);
  }
  return reader.changes();
}

LinkChanges read_failure_file(std::string_view text, const std::string& file, const NetworkGraph& graph) {
  const InputNode entries = parse_yaml(text, file);
  if (entries.kind != InputNode::Kind::list && entries.kind != InputNode::Kind::map)
    throw InputError({file}, "failures are a list of maps, each with the key `link` or `node`");
  return read_failures(entries, graph);
}

std::vector<KeyPath> failure_keys() {
  return keys_of_map_or_list<entry_keys>();
}

}  // namespace orrery::core
