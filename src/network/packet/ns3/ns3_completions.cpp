#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/files/file.hpp"
#include "network/packet/ns3/ns3_outputs.hpp"
#include "network/packet/packet_clock.hpp"
#include "network/packet/routes/ns3_routes.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery::core {
namespace {

// Returns, in whole ns, the time that ns-3's back end assumes for a flow that is alone: the round trip of the
// pair's window, plus all bytes with 48 more per packet at the slowest link.
std::uint64_t standalone_ns(const PairFacts& facts, std::uint64_t bytes, std::uint64_t payload) {
  constexpr std::uint64_t header = 48, bit_ns_of_a_byte = 8'000'000'000;
  const std::uint64_t packets = (std::max<std::uint64_t>(bytes, 1) - 1) / payload + 1;
  return static_cast<std::uint64_t>(facts.rtt / 1000) +
         product_over(bytes + packets * header, bit_ns_of_a_byte, facts.rate);
}

// Returns how many flows of the same pair began before each.
std::vector<std::uint32_t> numbers_in_pairs(const std::vector<Flow>& flows, const FlowsResult& result) {
  std::vector<std::uint32_t> order(flows.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t flow) { return result.flows[flow].start; });
  std::map<std::pair<int, int>, std::uint32_t> counts;
  std::vector<std::uint32_t> numbers(flows.size());
  for (const std::uint32_t flow : order)
    numbers[flow] = counts[{flows[flow].source, flows[flow].destination}]++;
  return numbers;
}

}  // namespace

void require_folders(const Ns3Outputs& outputs) {
  for (const Ns3Outputs::File* file :
       {&outputs.completions, &outputs.pauses, &outputs.queues, &outputs.trace})
    if (!file->path.empty() && (file != &outputs.trace || outputs.traces))
      require_folder_of(file->path, file->where);
}

std::string ns3_completions(const std::vector<Flow>& flows, const FlowsResult& result,
                            const NetworkGraph& graph, const PacketSettings& settings) {
  PacketSettings of_pairs = settings;
  of_pairs.window.largest_of_all = false;
  Ns3Ways routes(graph, of_pairs);
  const std::vector<std::uint32_t> numbers = numbers_in_pairs(flows, result);
  const NodeNumbers node_numbers(graph);
  const PacketClock clock(settings.whole_nanoseconds);
  std::string text;
  for (const std::uint32_t number : result.order) {
    const Flow& flow = flows[number];
    const FlowTimes& times = result.flows[number];
    const std::int64_t start = clock.not_before(times.start.ps()) / 1000;
    const PairFacts facts = routes.facts(flow.source, flow.destination, {});
    const auto address = [&](int npu) { return ns3_address(node_numbers.of(NodeId(npu))); };
    text += fmt::format("{:08x} {:08x} {} {} {} {} {} {}\n", address(flow.source), address(flow.destination),
                        ns3_source_port(numbers[number]), ns3_destination_port, flow.bytes.count(), start,
                        times.acknowledged.value_or(times.end).whole_ns() - start,
                        standalone_ns(facts, flow.bytes.count(), settings.sizes.payload));
  }
  return text;
}

}  // namespace orrery::core
