#include "collective/library/library_file.hpp"

#include <fmt/format.h>

#include "base/files/embedded_file.hpp"
#include "base/input/yaml_base.hpp"
#include "collective/library/message_algorithms.hpp"

namespace orrery::core {
namespace {

constexpr double max_steps = 10;
constexpr double max_growth = 2;
constexpr double max_members = 4096;
constexpr std::string_view class_of_links = "a class of links";

void read_ring_shares(const InputNode& node, const KeyFacts& key, InsideLink& link) {
  link.ring_shares.clear();
  for (const InputNode& share : list_of(node, key.name))
    link.ring_shares.push_back(real_of(share, key.name, 1e-6, 1));
}

constexpr Key<InsideLink> inside_keys[] = {
    key::bytes_per_second<&InsideLink::bandwidth>("bandwidth", "required",
                                                  "nominal bandwidth of one GPU in one direction")
        .hardware(),
    key::share<&InsideLink::efficiency>("efficiency", "1", "share of the bandwidth that rings reach")
        .software(),
    key::seconds<&InsideLink::step_seconds>("step", "0", "latency of a step of a ring of 8").fitted(),
    key::real<&InsideLink::copy_steps>(
        "copy-steps", 0, max_steps, "0",
        "share of the bandwidth that a ring's copy into the result takes, counted in steps")
        .better(Better::less)
        .fitted(),
    key::share<&InsideLink::switch_efficiency>(
        "switch-efficiency", "none",
        "share of the bandwidth that reduction in the switches reaches, if they can reduce")
        .software(),
    key::seconds<&InsideLink::switch_seconds>("switch-latency", "0", "latency of reduction in the switches")
        .fitted(),
    key::custom<read_ring_shares>(
        "ring-shares", "list of shares", "all",
        "shares of the bandwidth that rings of 2, 3, ... members find; larger rings have the last share")
        .trying("[0.5]"),
    key::bytes_per_second<&InsideLink::stream_bandwidth>(
        "stream", "no limit", "the most that one member sends per second, whatever the links carry")
        .fitted(),
    key::bytes_per_second<&InsideLink::sum_bandwidth>(
        "sum", "it takes no time", "bytes per second that a member adds up, in libraries whose hosts do that")
        .fitted(),
    key::positive<&InsideLink::full_speed_members>(
        "full-speed-members", max_members, "above 0, to 4096", "any number",
        "members of a node whose copies and sums the memory feeds at full speed; those of more take longer "
        "in proportion")
        .better(Better::more)
        .fitted(),
    key::seconds<&InsideLink::launch_seconds>(
        "launch", "`launch`",
        "time to launch a collective inside a node, or beyond it, in place of the library's")
        .software(),
};

constexpr Key<BetweenLink> between_keys[] = {
    key::bytes_per_second<&BetweenLink::bandwidth>("bandwidth", "required",
                                                   "nominal bandwidth of one network card in one direction")
        .hardware(),
    key::share<&BetweenLink::efficiency>("efficiency", "1", "share of the bandwidth that is reached")
        .software(),
    key::bytes_per_second<&BetweenLink::stream_bandwidth>(
        "stream", "no limit",
        "the most that one member sends per second, whatever the cards carry; in libraries with `algorithms`")
        .fitted(),
    key::seconds<&BetweenLink::step_seconds>("step", "0", "latency from node to node").fitted(),
    key::seconds<&BetweenLink::short_step_seconds>("short-step", "0", "latency from node to node under LL128")
        .fitted(),
    key::seconds<&BetweenLink::ll_step_seconds>("ll-step", "`protocols.ll.hop`",
                                                "latency from node to node under LL with no data, in place "
                                                "of the library's; `short-step` counts if it "
                                                "is shorter")
        .fitted(),
    key::seconds<&BetweenLink::rendezvous_seconds>(
        "rendezvous", "0",
        "time under LL in which the sender of a collective of more than `eager` asks whether the receiver is "
        "ready, from node to node")
        .fitted(),
    key::size<&BetweenLink::eager>(
        "eager", "0", "largest collective that is sent without asking; three times as much asks at every hop")
        .better(Better::more)
        .software(),
    key::share<&BetweenLink::switch_efficiency>(
        "switch-efficiency", "none",
        "share of the bandwidth that reduction in the switches reaches, if they can reduce")
        .software(),
};

constexpr auto step_latency =
    key::share<&ProtocolConstants::latency>("latency", "required",
                                            "latency of a step inside a node, divided by that of the simple "
                                            "protocol. Between nodes, LL128's latency is `short-step`");
constexpr auto protocol_bandwidth = key::share<&ProtocolConstants::bandwidth>(
    "bandwidth", "required", "bandwidth divided by that of the simple protocol");

constexpr Key<ProtocolConstants> protocol_keys[] = {step_latency, protocol_bandwidth};
constexpr Key<ProtocolConstants> ll_keys[] = {
    key::share<&ProtocolConstants::launch>("launch", "1",
                                           "launch under LL, divided by that of the other protocols"),
    key::seconds<&ProtocolConstants::step_seconds>(
        "step", "required",
        "latency of a step inside a node with no data; a class's `step` counts if it is shorter"),
    key::seconds<&ProtocolConstants::hop_seconds>(
        "hop", "required",
        "latency from node to node with no data; a class's `short-step` counts if it is shorter"),
    key::real<&ProtocolConstants::growth>(
        "growth", 0, max_growth, "0",
        "share by which these latencies grow with S bytes: they are 1 + growth S / (S + 4 KiB) times as long")
        .better(Better::less),
    protocol_bandwidth,
};
constexpr Key<ProtocolConstants> full_keys[] = {
    key::share<&ProtocolConstants::full_latency>(
        "latency", "required",
        "latency of LL128 in rings inside a node whose pieces fill all of its channels, divided by that of "
        "the simple protocol; the quicker one of these values and of `ll128` counts"),
    key::share<&ProtocolConstants::full_bandwidth>(
        "bandwidth", "required", "bandwidth of such rings, divided by that of the simple protocol"),
};

// Refuses a time for the switches if they do not reduce.
void check_switches(const InputNode& map, const InsideLink& link) {
  if (const InputNode* latency = map.find("switch-latency"); latency && link.switch_efficiency == 0)
    throw InputError(
        latency->where,
        "these switches reduce nothing; give a `switch-efficiency` or leave `switch-latency` out");
}
void check_switches(const InputNode&, const BetweenLink&) {}

// A key whose value is a map from the names of classes.
template <const auto& keys, auto member>
void read_classes(const InputNode& node, const KeyFacts& key, LibraryConstants& library) {
  require_map(node, key.name == "inside" ? "the links inside nodes" : "the links between nodes");
  for (std::size_t i = 0; i < node.names.size(); ++i) {
    auto& link = (library.*member).emplace_back();
    link.name = node.names[i].text;
    read_map(node.items[i], class_of_links, keys, link);
    check_switches(node.items[i], link);
  }
}

template <const auto& keys, Protocol protocol>
void read_protocol(const InputNode& node, const KeyFacts& key, LibraryConstants& library) {
  ProtocolConstants& constants = library.protocols[static_cast<std::size_t>(protocol)];
  read_map(node, "a protocol", keys, constants);
  if (key.name != "ll128-full") constants.known = true;
}

constexpr Key<LibraryConstants> protocols_keys[] = {
    key::custom<read_protocol<protocol_keys, Protocol::ll128>>("ll128", "map", "none", "the protocol LL128")
        .above(keys_of_map<protocol_keys>),
    key::custom<read_protocol<full_keys, Protocol::ll128>>(
        "ll128-full", "map", "none", "LL128 where pieces fill all channels; only with `protocols.ll128`")
        .above(keys_of_map<full_keys>),
    key::custom<read_protocol<ll_keys, Protocol::ll>>("ll", "map", "none", "the protocol LL")
        .above(keys_of_map<ll_keys>),
};

void read_backend(const InputNode& node, const KeyFacts& key, LibraryConstants& library) {
  library.backend = find_backend(scalar_of(node, key.name), node.where);
}

template <CollectiveKind kind>
void read_library_algorithms(const InputNode& node, const KeyFacts& key, LibraryConstants& library) {
  AlgorithmList& found = library.algorithms[static_cast<std::size_t>(kind)];
  bool any_members = false;
  for (const InputNode& item : list_of(node, key.name)) {
    const auto algorithm = word_value_of(item, key.name, library_algorithm_words);
    if (!is_algorithm_of(kind, algorithm))
      throw InputError(item.where, fmt::format("there is no {} for {}, take one of {}", backquoted(item.text),
                                               key.name, alternatives(algorithms_for(kind))));
    any_members |= is_for_any_group(kind, algorithm);
    found.push_back(algorithm);
  }
  if (!any_members)
    throw InputError(node.where,
                     "none of these algorithms is one for any number of members, add one such as "
                     "`ring`");
}

template <CollectiveKind kind>
constexpr auto library_algorithms_key(std::string_view name) {
  return key::custom<read_library_algorithms<kind>>(name, "list of algorithms", "NCCL's",
                                                    "algorithms of which the quickest is taken");
}

constexpr Key<LibraryConstants> algorithms_keys[] = {
    library_algorithms_key<CollectiveKind::all_reduce>("all-reduce"),
    library_algorithms_key<CollectiveKind::all_gather>("all-gather"),
    library_algorithms_key<CollectiveKind::reduce_scatter>("reduce-scatter"),
    library_algorithms_key<CollectiveKind::broadcast>("broadcast"),
};

constexpr Key<LibraryConstants> library_keys[] = {
    key::label<&LibraryConstants::name>("name", "required", "name for people to read"),
    key::custom<read_backend>("backend", "`gloo`, `mpi`, `nccl`, `xccl`", "none",
                              "backend of torch.distributed, which says what operations PyTorch has of the "
                              "library; none: all of them"),
    key::word<buffers_words, &LibraryConstants::buffers>("buffers", "gpu",
                                                         "memory in which buffers are unless a user says it"),
    key::map<algorithms_keys>("algorithms", "the algorithms", "NCCL's",
                              "algorithms by kind of collective, [below](#algorithms-of-libraries)"),
    key::texts<&LibraryConstants::sources>("sources", "none", "sources from which the numbers are taken")
        .of("map of texts"),
    key::seconds<&LibraryConstants::launch_seconds>("launch", "0",
                                                    "time to launch a collective, whatever its size"),
    key::seconds<&LibraryConstants::send_seconds>("send-launch", "0",
                                                  "time to launch a send with its receive"),
    key::seconds<&LibraryConstants::lone_call_seconds>(
        "lone-call", "0",
        "time that the host adds to a call that is timed by itself; it counts only with `--timed=call` and "
        "in tables of groups"),
    key::real<&LibraryConstants::step_growth>(
        "step-growth", 0, max_growth, "0",
        "exponent of a step's growth: a step in a ring of n takes (n / 8)^growth of what it takes in a ring "
        "of 8; steps of larger rings take what they take in a ring of 8"),
    key::share<&LibraryConstants::tree_efficiency>(
        "tree-efficiency", "1", "efficiency of trees inside a node, divided by that of rings"),
    key::share<&LibraryConstants::pairwise_inside>(
        "pairwise-inside", "1", "efficiency of all-to-all inside nodes, divided by that of rings"),
    key::share<&LibraryConstants::pairwise_between>(
        "pairwise-between", "1",
        "efficiency of all-to-all and of sends between nodes, divided by that of rings"),
    key::bytes_per_second<&LibraryConstants::allocation_bandwidth>(
        "allocation", "it takes no time",
        "bytes per second at which memory is obtained for temporary buffers of more than 32 MiB, which are "
        "allocated anew by each call")
        .fitted(),
    key::bytes_per_second<&LibraryConstants::staging_bandwidth>(
        "staging", "it takes no time",
        "bytes per second at which buffers of GPUs are copied to the host, and back")
        .fitted(),
    key::map<protocols_keys>("protocols", "the protocols", "none",
                             "protocols that the library has besides the simple one"),
    key::custom<read_classes<inside_keys, &LibraryConstants::inside>>("inside", "map of classes", "required",
                                                                      "classes of links inside a node")
        .above(keys_of_classes<inside_keys>),
    key::custom<read_classes<between_keys, &LibraryConstants::between>>("between", "map of classes", "none",
                                                                        "classes of links between nodes")
        .above(keys_of_classes<between_keys>),
};

constexpr KeyFacts link_base{"base",
                             "the nearest class",
                             "class of links that the other keys change",
                             KeyType::other,
                             0,
                             0,
                             nullptr,
                             nullptr,
                             "class of the library, `ideal`, or a bandwidth"};

template <class Link, class Keys>
void read_changes(const InputNode& map, const Keys& keys, Link& link) {
  std::vector<std::string_view> known = names_of(keys);
  known.insert(known.begin(), link_base.name);
  require_map_of(map, class_of_links, known);
  read_known_keys(map, keys, link);
  check_switches(map, link);
}

FoundFile find_library_file(const std::string& name_or_file, const SourceLocation& where,
                            const FileLoader& load) {
  return find_file({"libraries", "library", "; a library file ends in .yaml"}, name_or_file, where, load);
}

}  // namespace

void change_link(const InputNode& map, InsideLink& link) {
  read_changes(map, inside_keys, link);
}
void change_link(const InputNode& map, BetweenLink& link) {
  read_changes(map, between_keys, link);
}

std::vector<KeyPath> inside_link_keys() {
  return with_base(keys_of_map<inside_keys>(), link_base);
}
std::vector<KeyPath> between_link_keys() {
  return with_base(keys_of_map<between_keys>(), link_base);
}

LibraryConstants read_library_file(std::string_view text, const std::string& file) {
  const InputNode root = parse_yaml(text, file);
  LibraryConstants library;
  read_map(root, "a library", library_keys, library);
  const ProtocolConstants& ll128 = library[Protocol::ll128];
  if (ll128.full_bandwidth > 0 && !ll128.known)
    throw InputError(root.where, "`protocols.ll128-full` is nothing without `protocols.ll128`, give both");
  return library;
}

LibraryConstants find_library_constants(const std::string& name_or_file, const SourceLocation& where,
                                        const FileLoader& load) {
  const FoundFile file = find_library_file(name_or_file, where, load);
  return read_library_file(file.text, file.name);
}

InputNode link_map(const InputNode& node, const std::string& library, std::string_view place,
                   const FileLoader& load) {
  const bool is_map = node.kind == InputNode::Kind::map;
  const InputNode* const base = is_map ? node.find("base") : &node;
  if (!base || base->kind != InputNode::Kind::scalar) return node;
  const FoundFile file = find_library_file(library, node.where, load);
  const InputNode document = parse_yaml(file.text, file.name);
  const InputNode* const classes = document.find(place);
  const InputNode* const named = classes ? classes->find(base->text) : nullptr;
  if (!named) return node;
  return is_map ? over_base(node, *named, OverWord::replaces_it) : *named;
}

std::vector<std::string_view> collective_library_names() {
  return embedded_names("libraries");
}

std::vector<KeyPath> library_file_keys() {
  return key_paths("", library_keys);
}

}  // namespace orrery::core
