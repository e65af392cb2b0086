// The topology file of ns-3's back ends, in tokens:
//
//   number of nodes, number of switches, number of links
//   the numbers of the nodes that are switches
//   for each link: node, node, rate such as 100Gbps, delay such as 0.001ms, share of packets lost
//
// All other nodes are hosts, one NPU each, in the order of their numbers, and pass nothing on. Links go both
// routes. What stands behind the last link is no part of the network. Forms differ in the first line
// (ns3_header.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text/token_reader.hpp"
#include "topology/graph/formats/graph_formats.hpp"
#include "topology/graph/formats/node_numbers.hpp"
#include "topology/graph/formats/ns3_header.hpp"

namespace orrery::core {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, Warnings& warnings)
      : tokens_(text, file), warnings_(warnings) {}

  BuiltNetwork read() {
    header_ = read_ns3_header(tokens_);
    add_nodes();
    for (std::uint64_t link = 0; link < header_.links; ++link) {
      require_more("links", header_.links, link);
      add_link();
    }
    look_behind();
    warn_of_twins();
    warn_of_low_rates();
    const auto hosts = static_cast<int>(graph_.npus());
    if (header_.per_server == 0) return {std::move(graph_), {hosts}};
    return {std::move(graph_), {header_.per_server, hosts / header_.per_server}};
  }

 private:
  // Throws InputError where the file ends before all that its first line announces is there.
  void require_more(std::string_view what, std::uint64_t announced, std::uint64_t listed) const {
    if (!tokens_.at_end()) return;
    throw InputError(
        tokens_.where(tokens_.peek()),
        fmt::format("the first line announces {} {}, and the file ends after {}: add the others, "
                    "or correct the number",
                    announced, what, listed));
  }

  // Reads the numbers of the switches: those of servers come first, where there are any.
  void add_nodes() {
    std::vector<std::uint32_t> switches;
    std::vector<bool> is_switch(header_.nodes);
    for (std::uint64_t i = 0; i < header_.all_switches(); ++i) {
      require_more("switches", header_.all_switches(), i);
      const Token token = tokens_.peek();
      const std::uint32_t number = node_number("a switch");
      if (is_switch[number])
        throw InputError(tokens_.where(token),
                         fmt::format("switch {} is named twice: leave one out", number));
      is_switch[number] = true;
      switches.push_back(number);
    }
    // Where a switch stands before a host, hosts are not called by their NPUs, but by their numbers in the
    // file.
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number = 0; number < header_.nodes; ++number)
      if (!is_switch[number]) numbers.push_back(number);
    const bool in_front = numbers.empty() || numbers.back() + 1 == numbers.size();
    for (const std::uint32_t number : numbers)
      graph_.add({NodeKind::npu, fmt::format("{}{}", in_front ? "npu" : numbered_host, number)});
    inner_switches_.assign(header_.nodes, false);
    for (std::uint64_t i = 0; i < header_.server_switches; ++i) inner_switches_[switches[i]] = true;
    std::ranges::sort(switches);
    for (const std::uint32_t number : switches) {
      const bool inner = inner_switches_[number];
      graph_.add({NodeKind::network_switch, fmt::format("{}{}", inner ? "nvswitch" : "switch", number), true,
                  inner && header_.reduces});
      numbers.push_back(number);
    }
    node_of_.resize(header_.nodes);
    for (const NodeId node : first_ids<NodeId>(numbers.size())) node_of_[numbers[node.index()]] = node;
  }

  std::uint32_t node_number(std::string_view what) {
    const Token token = tokens_.next(what);
    const auto id = parse_unsigned(token.text);
    if (id && *id < header_.nodes) return static_cast<std::uint32_t>(*id);
    throw InputError(tokens_.where(token), fmt::format("`{}` is no node: they are numbered from 0 to {}",
                                                       token.text, header_.nodes - 1));
  }

  void add_link() {
    const Token first = tokens_.peek();
    const std::uint32_t a = node_number("a node of a link"), b = node_number("the other node of the link");
    if (a == b)
      throw InputError(tokens_.where(first), fmt::format("a link joins node {} to itself: leave it out", a));
    const Token rate = tokens_.next("the rate of a link, such as 100Gbps");
    const Token delay = tokens_.next("the delay of a link, such as 0.001ms");
    const Token loss = tokens_.next("the share of packets that a link loses");
    const auto share = parse_real(loss.text);
    if (!share || *share < 0 || *share > 1)
      throw InputError(tokens_.where(loss),
                       fmt::format("`{}` is no share of packets, which is a number from 0 to 1", loss.text));
    if (is_low_bare_rate(rate.text) && low_rates_++ == 0) first_low_rate_ = rate;
    graph_.join(node_of_[a], node_of_[b],
                {ns3_rate(rate.text, tokens_.where(rate)), ns3_delay(delay.text, tokens_.where(delay)),
                 *share, inner_switches_[a] || inner_switches_[b]});
    if (header_.per_server > 0 && !ends_.insert({std::min(a, b), std::max(a, b)}).second) ++twins_;
  }

  // ns-3 reads as many links as the first line says. What follows is an explanation, unless it looks like one
  // more link.
  void look_behind() {
    if (tokens_.at_end()) return;
    const Token token = tokens_.peek();
    if (is_link(tokens_))
      throw InputError(tokens_.where(token),
                       fmt::format("a link stands behind the last of {} links: correct their number in the "
                                   "first line",
                                   header_.links));
    warnings_.add(tokens_.where(token),
                  fmt::format("what stands behind the last of {} links is taken for an explanation, and "
                              "left out",
                              header_.links));
  }

  // Takes a copy of the reader.
  bool is_link(TokenReader tokens) const {
    for (int i = 0; i < 2; ++i) {
      if (tokens.at_end() || !parse_unsigned(tokens.next("").text)) return false;
    }
    for (const bool is_share : {false, false, true}) {
      if (tokens.at_end()) return false;
      const Token word = tokens.next("");
      const char first = word.text[0];
      if (is_share ? !parse_real(word.text) : first < '0' || first > '9') return false;
    }
    return true;
  }

  void warn_of_twins() {
    if (twins_ > 0)
      warnings_.add(tokens_.where({}),
                    fmt::format("{} links join two nodes that another link joins already: each is a cable of "
                                "its own, as in ns-3",
                                twins_));
  }

  void warn_of_low_rates() {
    if (low_rates_ > 0)
      warnings_.add(
          tokens_.where(first_low_rate_),
          fmt::format("rates without a unit are in bit/s, as in ns-3, and {} below 1 Mbps: write "
                      "`{}Gbps` for gigabits",
                      low_rates_ == 1 ? "one link's is" : fmt::format("those of {} links are", low_rates_),
                      first_low_rate_.text));
  }

  TokenReader tokens_;
  Warnings& warnings_;
  Ns3Header header_;
  NetworkGraph graph_;
  std::vector<NodeId> node_of_;       // by number in the file
  std::vector<bool> inner_switches_;  // the same: whether it is a switch inside a server
  std::set<std::pair<std::uint32_t, std::uint32_t>> ends_;
  std::size_t twins_ = 0;
  Token first_low_rate_;
  std::size_t low_rates_ = 0;
};

}  // namespace

const GraphFormat ns3_topology_format{"the topology file of ns-3", begins_like_ns3,
                                      [](std::string_view text, const std::string& file, Warnings& warnings) {
                                        return Reader(text, file, warnings).read();
                                      }};

}  // namespace orrery::core
