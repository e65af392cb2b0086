#include "topology/flits/flit_network_file.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/input/key_pairs.hpp"
#include "base/text/token_reader.hpp"
#include "topology/flits/flit_network.hpp"
#include "topology/topology_check.hpp"

namespace orrery::core {
namespace {

enum class Form { torus_3d, nv_switch, all_to_all, torus, mesh };
constexpr std::array<EnumName<Form>, 5> form_words{{
    {"Torus3D", Form::torus_3d},
    {"NV_Switch", Form::nv_switch},
    {"AllToAll", Form::all_to_all},
    {"Torus", Form::torus},
    {"Mesh", Form::mesh},
}};

enum class FlitRouting { table, ring, direct, mesh };
constexpr std::array<EnumName<FlitRouting>, 4> flit_routing_words{{
    {"table", FlitRouting::table},
    {"Ring_XY", FlitRouting::ring},
    {"AllToAll", FlitRouting::direct},
    {"Mesh_XY", FlitRouting::mesh},
}};

constexpr std::array<EnumName<InjectionOrder>, 2> injection_words{{
    {"fifo", InjectionOrder::fifo},
    {"interleave", InjectionOrder::interleave},
}};

constexpr int max_flit_npus = 1 << 16;
constexpr int max_rings = 1000;
constexpr int max_bits = 1 << 20;
constexpr int max_cycles = 100'000;
constexpr std::int64_t max_packet_bytes = std::int64_t{1} << 30;
constexpr int max_vcs = 4096;
constexpr int max_flits = 1 << 30;

struct FlitDraft {
  Form form = Form::torus_3d;
  FlitRouting routing = FlitRouting::table;
  int npus = 1, packages = 1, rows = 2;
  std::vector<int> sizes, rings;
  int local_rings = 1, horizontal_rings = 1, vertical_rings = 1, links_per_tile = 1;
  std::int64_t local_packet = 64, package_packet = 64;
  FlitWires local, package;
  int pads = 1, strict = 0;
  FlitNetwork network;
};

// Reads numbers with commas between them.
std::vector<int> numbers_of(const InputNode& node, const KeyFacts& key, int least, int largest) {
  std::vector<int> numbers;
  for (std::size_t begin = 0; begin <= node.text.size();) {
    const std::size_t end = std::min(node.text.find(',', begin), node.text.size());
    const auto number = parse_unsigned(std::string_view(node.text).substr(begin, end - begin));
    if (!number || *number < static_cast<std::uint64_t>(least) ||
        *number > static_cast<std::uint64_t>(largest))
      reject_value(node, key.name,
                   fmt::format("whole numbers from {} to {} with commas between them, such as `4,4,2`", least,
                               largest));
    numbers.push_back(static_cast<int>(*number));
    begin = end + 1;
  }
  return numbers;
}
std::vector<int> sizes_of(const InputNode& node, const KeyFacts& key) {
  return numbers_of(node, key, 1, max_flit_npus);
}
std::vector<int> rings_of(const InputNode& node, const KeyFacts& key) {
  return numbers_of(node, key, 0, max_rings);
}

template <int FlitDraft::*member>
constexpr auto count_of_rings(std::string_view name, std::string_view meaning) {
  return key::integer<member>(name, 0, max_rings, "1", meaning);
}

template <FlitWires FlitDraft::*wires>
constexpr auto wire_width(std::string_view name, std::string_view meaning) {
  return key::integer<wires, &FlitWires::width>(name, 1, max_bits, "128", meaning).of("bits per cycle");
}

template <FlitWires FlitDraft::*wires>
constexpr auto wire_efficiency(std::string_view name, std::string_view meaning) {
  return key::share<wires, &FlitWires::efficiency>(name, "1", meaning);
}

constexpr Key<FlitDraft> flit_keys[] = {
    key::word<form_words, &FlitDraft::form>("topology", "required", "how NPUs and packages are joined"),
    key::integer<&FlitDraft::npus>(
        "num-npus", 1, max_flit_npus, "required",
        "number of NPUs of all packages; the product of `sizes` for Torus and Mesh"),
    key::integer<&FlitDraft::packages>("num-packages", 1, max_flit_npus, "1",
                                       "number of packages, a divisor of `num-npus`; not for Torus and Mesh"),
    key::integer<&FlitDraft::rows>(
        "package-rows", 1, max_flit_npus, "2",
        "number of rows of packages, a divisor of `num-packages`; only Torus3D looks at it"),
    key::declared<sizes_of, KeyType::other, &FlitDraft::sizes>(
        "sizes", "none", "NPUs along each dimension of Torus and Mesh, the innermost first")
        .of("numbers with commas, up to 10"),
    key::declared<rings_of, KeyType::other, &FlitDraft::rings>(
        "rings", "1 each",
        "for Torus and Mesh: pairs of rings along each dimension; a pair has one ring for each direction")
        .of("numbers with commas"),
    count_of_rings<&FlitDraft::local_rings>("local-rings",
                                            "number of rings within each package, all of one direction"),
    count_of_rings<&FlitDraft::horizontal_rings>(
        "horizontal-rings",
        "number of pairs of rings along a row of packages (Torus3D), of vnets per switch, or of wires from "
        "package to package"),
    count_of_rings<&FlitDraft::vertical_rings>(
        "vertical-rings", "number of pairs of rings along a column of packages; only Torus3D has them"),
    key::integer<&FlitDraft::links_per_tile>("links-per-tile", 1, max_rings, "1",
                                             "switches of NV_Switch, to each of which an NPU has a wire"),
    key::word<flit_routing_words, &FlitDraft::routing>(
        "routing-algorithm", "table",
        "Ring_XY for tori, Mesh_XY for meshes, AllToAll for AllToAll and NV_Switch; table for all: packets "
        "of "
        "an NV_Switch then take the first switch, else it changes nothing"),
    key::integer<&FlitDraft::network, &FlitNetwork::flit_bits>(
        "flit-width", 1, max_bits, "128", "width of a flit, of the crossbar and of an NPU's wires")
        .of("bits"),
    key::integer<&FlitDraft::local_packet>(
        "local-packet-size", 1, max_packet_bytes, "64",
        "size of a packet on local rings; without effect with `strict-reference`")
        .of("bytes"),
    key::integer<&FlitDraft::package_packet>("package-packet-size", 1, max_packet_bytes, "64",
                                             "size of a packet elsewhere")
        .of("bytes"),
    wire_width<&FlitDraft::local>("tile-link-width", "width of the wires of local rings"),
    wire_width<&FlitDraft::package>("package-link-width",
                                    "width of all wires between packages, and of those of a Torus or Mesh"),
    wire_efficiency<&FlitDraft::local>("local-link-efficiency",
                                       "share of the width of local rings that carries flits"),
    wire_efficiency<&FlitDraft::package>(
        "package-link-efficiency", "share of the width of the wires between packages that carries flits"),
    key::integer<&FlitDraft::local, &FlitWires::latency>(
        "local-link-latency", 1, max_cycles, "1", "latency of local rings, and of every NPU's own wires")
        .of("cycles"),
    key::integer<&FlitDraft::package, &FlitWires::latency>("package-link-latency", 1, max_cycles, "1",
                                                           "latency of all wires between packages")
        .of("cycles"),
    key::integer<&FlitDraft::network, &FlitNetwork::router_latency>(
        "router-latency", 1, max_cycles, "1", "time from a flit's arrival until it is on the next wire")
        .of("cycles"),
    key::integer<&FlitDraft::network, &FlitNetwork::vcs>(
        "vcs-per-vnet", 1, max_vcs, "4", "number of virtual channels of a vnet on every wire"),
    key::integer<&FlitDraft::network, &FlitNetwork::buffer_flits>("buffers-per-vc", 1, max_flits, "32",
                                                                  "size of the buffer of a virtual channel")
        .of("flits"),
    key::real<&FlitDraft::network, &FlitNetwork::clock_ghz>("network-clock-ghz", 0.001, 1000, "1",
                                                            "cycles per nanosecond"),
    key::integer<&FlitDraft::pads>("pad-last-packet", 0, 1, "1",
                                   "1: the last packet of a message is as long as the others"),
    key::word<injection_words, &FlitDraft::network, &FlitNetwork::injection_order>(
        "injection-order", "fifo", "whether packets of an NPU and vnet go one behind the other"),
    key::integer<&FlitDraft::strict>("strict-reference", 0, 1, "0",
                                     "1: as ASTRA-sim 1.0, where packets may wait for one another for ever"),
};

const SourceLocation& place_of(const InputNode& root, std::string_view key) {
  const InputNode* const value = root.find(key);
  return value ? value->where : root.where;
}

void require_routing_of(const FlitDraft& draft, const InputNode& root) {
  constexpr std::array<FlitRouting, form_words.size()> own{
      FlitRouting::ring, FlitRouting::direct, FlitRouting::direct, FlitRouting::ring, FlitRouting::mesh};
  const FlitRouting fits = own[static_cast<std::size_t>(draft.form)];
  if (draft.routing == FlitRouting::table || draft.routing == fits) return;
  throw InputError(
      place_of(root, "routing-algorithm"),
      fmt::format("`{}` is no routing of `{}`: use `{}`", word_of(flit_routing_words, draft.routing),
                  word_of(form_words, draft.form), word_of(flit_routing_words, fits)));
}

int divided(int number, int by, const InputNode& root, std::string_view key, std::string_view of) {
  if (number % by == 0) return number / by;
  throw InputError(place_of(root, key), fmt::format("`{}` is {}, which does not divide {}, the number of {}",
                                                    key, by, number, of));
}

void require_vnets(const FlitDraft& draft, const InputNode& root) {
  const FlitNetwork& network = draft.network;
  constexpr int max_vnets = 4096;
  if (network.vnets() > max_vnets)
    throw InputError(root.where, fmt::format("the network has {} vnets, and can have {}: give it fewer rings",
                                             network.vnets(), max_vnets));
  const auto missing = [&](const FlitRings& rings) { return rings.size > 1 && rings.up + rings.down == 0; };
  for (const FlitRings& rings : network.rings)
    if (missing(rings) && network.packages != PackageLinks::switches)
      throw InputError(root.where, fmt::format("the dimension {} has {} NPUs and no ring: give it one",
                                               rings.name, rings.size));
  if (network.packages != PackageLinks::none && network.package_count > 1 && network.package_vnets == 0)
    throw InputError(place_of(root, "horizontal-rings"),
                     "there is no wire between packages: give it 1 at least");
}

void add_rings(FlitDraft& draft, std::string_view name, int size, int up, int down, bool local) {
  FlitRings rings{.name = std::string(name), .size = size, .up = up, .down = down};
  rings.wraps = draft.form != Form::mesh;
  rings.wires = local ? draft.local : draft.package;
  rings.packet_bytes = local && !draft.network.strict_reference ? draft.local_packet : draft.package_packet;
  draft.network.rings.push_back(std::move(rings));
}

void build_dimensions(FlitDraft& draft, const InputNode& root) {
  if (draft.sizes.empty() || draft.sizes.size() > 10)
    throw InputError(place_of(root, "sizes"), "`Torus` and `Mesh` need `sizes` of 1 to 10 dimensions");
  if (draft.rings.empty()) draft.rings.assign(draft.sizes.size(), 1);
  if (draft.rings.size() != draft.sizes.size())
    throw InputError(place_of(root, "rings"),
                     fmt::format("`rings` has {} numbers, and `sizes` {}: give as many", draft.rings.size(),
                                 draft.sizes.size()));
  std::int64_t npus = 1;
  for (std::size_t d = 0; d < draft.sizes.size(); ++d) {
    npus = std::min<std::int64_t>(npus * draft.sizes[d], max_flit_npus + 1);
    add_rings(draft, default_dimension_name(d), draft.sizes[d], draft.rings[d], draft.rings[d], false);
  }
  if (npus != draft.npus)
    throw InputError(place_of(root, "num-npus"),
                     fmt::format("`num-npus` is {}, but the product of `sizes` is not", draft.npus));
}

void build_packages(FlitDraft& draft, const InputNode& root) {
  FlitNetwork& network = draft.network;
  for (const std::string_view key : {"sizes", "rings"})
    if (root.find(key))
      throw InputError(place_of(root, key), fmt::format("`{}` is for `Torus` and `Mesh`: leave it out", key));
  const int local = divided(draft.npus, draft.packages, root, "num-packages", "NPUs");
  add_rings(draft, "local", local, draft.local_rings, 0, true);
  if (draft.form == Form::torus_3d) {
    const int columns = divided(draft.packages, draft.rows, root, "package-rows", "packages");
    add_rings(draft, "horizontal", columns, draft.horizontal_rings, draft.horizontal_rings, false);
    add_rings(draft, "vertical", draft.rows, draft.vertical_rings, draft.vertical_rings, false);
    return;
  }
  network.packages = draft.form == Form::nv_switch ? PackageLinks::switches : PackageLinks::direct;
  network.package_count = draft.packages;
  network.package_npus = local;
  network.package_wires = draft.package;
  network.package_packet_bytes = draft.package_packet;
  if (draft.form == Form::nv_switch) network.switches = draft.links_per_tile;
  network.package_vnets =
      draft.horizontal_rings * (draft.form == Form::nv_switch ? draft.links_per_tile : draft.packages);
}

// Gives dimensions the bandwidth and latency of wires, for code that looks at dimensions, such as the closed
// forms.
void measure(Dimension& dimension, const FlitWires& wires, int parallel, const FlitNetwork& network) {
  const double bits = network.flit_bits / wires.period(network.flit_bits);
  dimension.link_bandwidth =
      Bandwidth::from_gb_per_s(bits / 8 * parallel / dimension.links * network.clock_ghz);
  const double cycles = wires.latency + network.router_latency + wires.conversion_cycles(network.flit_bits);
  dimension.link_latency_ns = cycles / network.clock_ghz;
  dimension.nic_latency_ns = network.npu_latency / network.clock_ghz;
}

Topology flit_topology(FlitNetwork network) {
  Topology topology;
  for (const FlitRings& rings : network.rings) {
    Dimension& dimension = topology.dimensions.emplace_back();
    dimension.name = rings.name;
    dimension.size = rings.size;
    dimension.links = std::max(2, rings.up + rings.down + (rings.up + rings.down) % 2);
    measure(dimension, rings.wires, std::max(1, rings.up + rings.down), network);
  }
  if (network.packages != PackageLinks::none) {
    Dimension& dimension = topology.dimensions.emplace_back();
    dimension.name = "packages";
    dimension.size = network.package_count;
    const bool direct = network.packages == PackageLinks::direct && dimension.size > 1;
    const int routes = direct ? network.package_vnets / dimension.size * (dimension.size - 1)
                              : std::max(2, network.switches);
    dimension.block = direct ? Block::fully_connected : Block::switched;
    dimension.links = routes;
    measure(dimension, network.package_wires, direct ? routes : std::max(1, network.switches), network);
  }
  topology.flits = std::make_shared<const FlitNetwork>(std::move(network));
  return topology;
}

}  // namespace

bool is_flit_network_file(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  std::set<std::string_view> found;  // keys of more than one word
  bool has_topology = false;
  for (std::size_t begin = text.find_first_not_of(blanks); begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    if (word.ends_with(':')) {
      word.remove_suffix(1);
      has_topology |= word == "topology";
      if (word.find('-') != word.npos &&
          std::ranges::any_of(flit_keys, [&](const KeyFacts& key) { return key.name == word; }))
        found.insert(word);
    }
    // A single key might be a name in some other kind of file.
    if (found.size() > 1 || (has_topology && found.contains("num-npus"))) return true;
    begin = text.find_first_not_of(blanks, end);
  }
  return false;
}

Topology read_flit_network_file(std::string_view text, const std::string& file, Warnings& warnings) {
  const InputNode root = parse_key_pairs(text, file, warnings);
  FlitDraft draft;
  read_map(root, "the network file", flit_keys, draft, &warnings);
  draft.network.npu_latency = draft.local.latency;
  draft.network.pads_last_packet = draft.pads != 0;
  draft.network.strict_reference = draft.strict != 0;
  draft.network.switch_choice =
      draft.routing == FlitRouting::table ? SwitchChoice::first : SwitchChoice::in_turn;
  require_routing_of(draft, root);
  if (draft.form == Form::torus || draft.form == Form::mesh)
    build_dimensions(draft, root);
  else
    build_packages(draft, root);
  require_vnets(draft, root);
  return flit_topology(std::move(draft.network));
}

std::vector<KeyPath> flit_network_file_keys() {
  return key_paths("", flit_keys);
}

}  // namespace orrery::core
