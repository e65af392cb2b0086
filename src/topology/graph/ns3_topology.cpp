// The topology file of ns-3's back end, in tokens:
//
//   number of nodes, number of switches, number of links
//   the numbers of the nodes that are switches
//   for each link: node, node, rate such as 100Gbps, delay such as 0.001ms, share of packets lost
//
// All other nodes are hosts, one NPU each, and pass nothing on. Links go both ways.
#include <fmt/format.h>

#include <utility>

#include "base/quantity.hpp"
#include "base/token_reader.hpp"
#include "topology/graph/graph_formats.hpp"
#include "topology/topology_check.hpp"

namespace orrery {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : tokens_(text, file) {}

  BuiltNetwork read() {
    nodes_ = number("the number of nodes", most_npus);
    const std::uint64_t switches = number("the number of switches", nodes_);
    const std::uint64_t links = number("the number of links", most_links);
    add_nodes(switches);
    for (std::uint64_t link = 0; link < links; ++link) add_link();
    if (!tokens_.at_end()) {
      const Token token = tokens_.peek();
      throw InputError(tokens_.where(token),
                       fmt::format("`{}` stands behind the last of {} links: correct their number in the "
                                   "first line",
                                   token.text, links));
    }
    const auto hosts = static_cast<int>(graph_.npus());
    return {std::move(graph_), {hosts}};
  }

 private:
  static constexpr std::uint64_t most_links = 100'000'000;

  std::uint64_t number(std::string_view what, std::uint64_t largest) {
    const Token token = tokens_.next(what);
    const auto value = parse_unsigned(token.text);
    if (value && *value <= largest) return *value;
    throw InputError(tokens_.where(token), fmt::format("`{}` is not {}, which is a whole number up to {}",
                                                       token.text, what, largest));
  }

  void add_nodes(std::uint64_t switches) {
    const std::uint64_t hosts = nodes_ - switches;
    std::vector<bool> is_switch(nodes_);
    for (std::uint64_t i = 0; i < switches; ++i) {
      const Token token = tokens_.peek();
      const std::uint64_t id = node("a switch");
      if (id < hosts)
        throw InputError(
            tokens_.where(token),
            fmt::format("node {} is a switch, but with {} hosts these are nodes 0 to {}, so that "
                        "NPUs and hosts have the same numbers: number the switches behind them",
                        id, hosts, hosts - 1));
      if (is_switch[id])
        throw InputError(tokens_.where(token), fmt::format("switch {} is named twice: leave one out", id));
      is_switch[id] = true;
    }
    for (std::uint64_t id = 0; id < hosts; ++id) graph_.add({NodeKind::npu, fmt::format("npu{}", id)});
    for (std::uint64_t id = hosts; id < nodes_; ++id)
      graph_.add({NodeKind::network_switch, fmt::format("switch{}", id), true});
  }

  NodeId node(std::string_view what) {
    const Token token = tokens_.next(what);
    const auto id = parse_unsigned(token.text);
    if (id && *id < nodes_) return static_cast<NodeId>(*id);
    throw InputError(tokens_.where(token),
                     fmt::format("`{}` is no node: they are numbered from 0 to {}", token.text, nodes_ - 1));
  }

  void add_link() {
    const Token first = tokens_.peek();
    const NodeId a = node("a node of a link"), b = node("the other node of the link");
    if (a == b)
      throw InputError(tokens_.where(first), fmt::format("a link joins node {} to itself: leave it out", a));
    const Token rate = tokens_.next("the rate of a link, such as 100Gbps");
    const Token delay = tokens_.next("the delay of a link, such as 0.001ms");
    const Token loss = tokens_.next("the share of packets that a link loses");
    const auto share = parse_real(loss.text);
    if (!share || *share < 0 || *share > 1)
      throw InputError(tokens_.where(loss),
                       fmt::format("`{}` is no share of packets, which is a number from 0 to 1", loss.text));
    graph_.join(a, b,
                {parse_bandwidth(rate.text, tokens_.where(rate)),
                 parse_time(delay.text, tokens_.where(delay)), *share});
  }

  TokenReader tokens_;
  std::uint64_t nodes_ = 0;
  NetworkGraph graph_;
};

// The first line has three numbers, and the file has nothing but words and numbers.
bool recognizes(std::string_view text) {
  TokenReader tokens(text, "");
  int line = 0;
  for (int i = 0; i < 3; ++i) {
    if (tokens.at_end()) return false;
    const Token token = tokens.next("");
    if (!parse_unsigned(token.text) || (i > 0 && token.line != line)) return false;
    line = token.line;
  }
  return tokens.at_end() || tokens.peek().line > line;
}

}  // namespace

const GraphFormat ns3_topology_format{
    "the topology file of ns-3", recognizes,
    [](std::string_view text, const std::string& file, Warnings&) { return Reader(text, file).read(); }};

}  // namespace orrery
