// The binary trace of packets, in records of 56 bytes (docs/inputs/packets.md).
#include <fmt/format.h>

#include <algorithm>

#include "base/files/file_writer.hpp"
#include "base/text/token_reader.hpp"
#include "network/packet/engine/packet_network.hpp"
#include "network/packet/link_rates.hpp"
#include "network/packet/ns3/ns3_outputs.hpp"
#include "network/packet/routes/ns3_routes.hpp"

namespace orrery::core {
namespace {

// Puts numbers into a text, the lowest byte first.
class Bytewise {
 public:
  template <class Number>
  Bytewise& put(std::uint64_t value) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) text_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  Bytewise& fill(std::size_t size) {
    text_.resize(std::max(size, text_.size()));
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::uint64_t protocol_of(PacketKind kind) {
  switch (kind) {
    case PacketKind::data:
      return 0x11;
    case PacketKind::ack:
      return 0xfc;
    case PacketKind::nack:
      return 0xfd;
    default:  // pauses and resumes
      return 0xfe;
  }
}

class Ns3Trace final : public Ns3Log, private PacketTracer {
 public:
  Ns3Trace(const Ns3Outputs& outputs, const NetworkGraph& graph, const PacketSettings& settings)
      : graph_(graph),
        numbers_(graph),
        nodes_(outputs.traced_nodes),
        file_(outputs.trace.path),
        interfaces_(interfaces_of(graph)) {
    Bytewise head;
    head.put<std::uint32_t>(graph.links());
    for (const NodeId node : graph.all_nodes())
      for (const LinkId link : graph.links_from(node))
        head.put<std::uint16_t>(numbers_.of(node))
            .put<std::uint8_t>(interfaces_[link.index()])
            .put<std::uint64_t>(bits_per_second(graph.link(link)));
    PacketSettings largest = settings;
    largest.window.largest_of_all = true;
    head.put<std::uint32_t>(Ns3Ways(graph, largest).facts(0, 0, {}).window);
    file_.append(head.text());
  }

  void begin(PacketNetwork& network) override {
    network_ = &network;
    network.set_tracer(*this, nodes_);
  }
  void finish() override { file_.finish(); }

 private:
  static constexpr std::size_t record_bytes = 56;

  void trace(What what, LinkId port, const Packet& packet, Stamp at) override {
    const NodeId node = graph_.link(port).from;
    const bool is_queued = what == What::queued || what == What::sent;
    Bytewise record;
    record.put<std::uint64_t>(ns_of(at))
        .put<std::uint16_t>(numbers_.of(node))
        .put<std::uint8_t>(interfaces_[port.index()])
        .put<std::uint8_t>(packet.priority)
        .put<std::uint32_t>(is_queued ? network_->links().port(port).queues.bytes(packet.priority) : 0);
    put_ends(record, packet);
    record.put<std::uint16_t>(packet.bytes)
        .put<std::uint8_t>(protocol_of(packet.kind))
        .put<std::uint8_t>(static_cast<std::uint64_t>(what))
        .put<std::uint8_t>(packet.kind == PacketKind::data && packet.marked ? 3 : 0)
        .put<std::uint8_t>(graph_.is_npu(node) ? 0 : 1)
        .put<std::uint16_t>(0);
    put_part(record, packet);
    file_.append(record.fill(record_bytes).text());
  }

  static std::uint64_t ns_of(Stamp at) { return static_cast<std::uint64_t>(at / 1000); }
  void put_ends(Bytewise& record, const Packet& packet) const {
    if (is_for_link(packet.kind)) {
      record.put<std::uint64_t>(0);
      return;
    }
    const QueuePair& pair = network_->queue_pair(packet.queue_pair);
    const std::uint32_t source = ns3_address(numbers_.of(NodeId(pair.source))),
                        destination = ns3_address(numbers_.of(NodeId(pair.destination)));
    const bool is_data = packet.kind == PacketKind::data;
    record.put<std::uint32_t>(is_data ? source : destination)
        .put<std::uint32_t>(is_data ? destination : source);
  }
  void put_part(Bytewise& record, const Packet& packet) const {
    if (is_for_link(packet.kind)) {
      record.put<std::uint32_t>(packet.kind == PacketKind::pause ? 1 : 0)
          .put<std::uint32_t>(0)
          .put<std::uint8_t>(packet.payload);
      return;
    }
    const QueuePair& pair = network_->queue_pair(packet.queue_pair);
    const std::uint32_t port = ns3_source_port(pair.flow);
    if (packet.kind == PacketKind::data) {
      record.put<std::uint16_t>(port)
          .put<std::uint16_t>(ns3_destination_port)
          .put<std::uint32_t>(packet.sequence)
          .put<std::uint64_t>(ns_of(packet.sent))
          .put<std::uint16_t>(pair.priority)
          .put<std::uint16_t>(packet.payload);
      return;
    }
    record.put<std::uint16_t>(ns3_destination_port)
        .put<std::uint16_t>(port)
        .put<std::uint16_t>(packet.marked ? 1 : 0)
        .put<std::uint16_t>(pair.priority)
        .put<std::uint32_t>(packet.sequence)
        .put<std::uint32_t>(0)
        .put<std::uint64_t>(ns_of(packet.sent));
  }

  const NetworkGraph& graph_;
  NodeNumbers numbers_;
  std::vector<NodeId> nodes_;
  FileWriter file_;
  std::vector<std::uint32_t> interfaces_;  // by the link that leaves there
  PacketNetwork* network_ = nullptr;
};

}  // namespace

std::vector<NodeId> read_traced_nodes(std::string_view text, const std::string& file,
                                      const NetworkGraph& graph) {
  const std::size_t nodes = graph.nodes();
  const NodeNumbers numbers(graph);
  TokenReader tokens(text, file);
  const auto read = [&](std::string_view what, std::uint64_t end) {
    const Token token = tokens.next(what);
    const auto value = parse_unsigned(token.text);
    if (!value || *value >= end)
      throw InputError(tokens.where(token), fmt::format("`{}` is not {}, which is a whole number below {}",
                                                        token.text, what, end));
    return static_cast<std::uint32_t>(*value);
  };
  std::vector<NodeId> traced(read("the number of nodes to trace", std::uint64_t{nodes} + 1));
  for (NodeId& node : traced) node = numbers.node(read("a node to trace", nodes)).value_or(NodeId(0));
  return traced;
}

std::shared_ptr<Ns3Log> make_ns3_trace(const Ns3Outputs& outputs, const NetworkGraph& graph,
                                       const PacketSettings& settings) {
  constexpr std::size_t max_nodes = 1 << 16, max_interfaces = 255;
  bool fits = graph.nodes() <= max_nodes;
  for (const NodeId node : graph.all_nodes()) fits = fits && graph.links_from(node).size() <= max_interfaces;
  if (!fits)
    throw InputError(outputs.trace.where,
                     "records of the trace have room for 65536 nodes of 255 ports, and the network has more: "
                     "set ENABLE_TRACE to 0");
  return std::make_shared<Ns3Trace>(outputs, graph, settings);
}

}  // namespace orrery::core
