#include "network/folding/product_ways.hpp"

#include <fmt/format.h>

#include <utility>

namespace orrery {
namespace {

using Form = ProductFactor::Form;

class ProductWays {
 public:
  explicit ProductWays(const NetworkProduct& product) : product_(product) {
    for (const ProductFactor& factor : product) npus_ *= factor.size;
  }

  // Adds the ways of these messages; returns whether there is one for each.
  bool add(const PeerMessages& messages) {
    const int destination = messages.receiver(0);
    if (destination == 0) return false;
    int stride = 1, dimension = 0;
    while (destination / stride % product_[dimension].size == 0) stride *= product_[dimension++].size;
    const ProductFactor& factor = product_[dimension];
    const int offset = destination / stride % factor.size;
    if (offset * stride != destination || !stays_inside(messages, stride, factor)) return false;
    // A hash would choose among cables side by side.
    if (factor.cable.count > 1 && !factor.cable.striped) return false;
    // Two NPUs might share a link, or a peer, by messages of two kinds while others do not.
    const auto [kind, is_first] = kinds_.try_emplace(dimension, messages.group, messages.exclusive_or);
    if (kind->second != std::pair(messages.group, messages.exclusive_or)) return false;
    return folded_.ways.contains(destination) || add_way(destination, dimension, stride, offset);
  }

  FoldedWays take() { return std::move(folded_); }

 private:
  // Around a circle all messages have to go equally far, so their groups must be the circles. Where every NPU
  // is as near as any other, groups must lie within those of the factor.
  static bool stays_inside(const PeerMessages& messages, int stride, const ProductFactor& factor) {
    const LogicalDimension& group = messages.group;
    if (factor.form == Form::circle && factor.size > 2)
      return group.stride == stride && group.size == factor.size && !messages.exclusive_or;
    return group.stride % stride == 0 && stride * factor.size % (group.stride * group.size) == 0;
  }

  bool add_way(int destination, int dimension, int stride, int offset) {
    const ProductFactor& factor = product_[dimension];
    const auto npu = [](int number) { return fmt::format("npu{}", number); };
    FoldedWays::Way way;
    int hops = 1;
    switch (factor.form) {
      case Form::circle: {
        if (factor.size > 2 && 2 * offset == factor.size && !factor.far_side_is_ahead) return false;
        const bool ahead = 2 * offset <= factor.size;
        hops = ahead ? offset : factor.size - offset;
        const int next = ahead || factor.both_ways_share ? 1 : factor.size - 1;
        add_use(way, dimension, npu(0), npu(stride * next), npus_, static_cast<std::uint32_t>(hops));
        break;
      }
      case Form::full:
        add_use(way, dimension, npu(0), npu(destination), npus_, 1);
        break;
      case Form::star: {
        hops = 2;
        const std::string first = fmt::format("switch{}", factor.first_switch);
        add_use(way, dimension, npu(0), first, npus_, 1);
        add_use(way, dimension, first, npu(0), npus_, 1);
        break;
      }
    }
    way.latency = factor.cable.latency * hops;
    way.bytes_per_ns = factor.cable.bandwidth.bytes_per_ns() * factor.cable.count;
    folded_.ways.emplace(destination, std::move(way));
    return true;
  }

  // Cables side by side are striped and have the same share of every message.
  void add_use(FoldedWays::Way& way, int dimension, const std::string& from, const std::string& to,
               std::uint64_t links, std::uint32_t messages) {
    const auto [known, is_new] =
        numbers_.try_emplace({from, to}, static_cast<std::uint32_t>(folded_.links.size()));
    const Cable& cable = product_[dimension].cable;
    const auto count = static_cast<std::uint64_t>(cable.count);
    if (is_new) folded_.links.push_back({from, to, dimension, links * count, cable.bandwidth.bytes_per_ns()});
    way.uses.push_back({known->second, messages, static_cast<double>(messages) / cable.count});
  }

  const NetworkProduct& product_;
  std::uint64_t npus_ = 1;
  FoldedWays folded_;
  std::map<int, std::pair<LogicalDimension, bool>> kinds_;                // of peers, by factor
  std::map<std::pair<std::string, std::string>, std::uint32_t> numbers_;  // of links, by ends
};

}  // namespace

std::optional<FoldedWays> find_product_ways(const NetworkProduct& product,
                                            const std::vector<PeerMessages>& messages) {
  ProductWays ways(product);
  for (const PeerMessages& some : messages)
    if (!ways.add(some)) return std::nullopt;
  return ways.take();
}

}  // namespace orrery
