#include "network/folding/product_routes.hpp"

#include <fmt/format.h>

#include <utility>

namespace orrery::core {
namespace {

using Form = ProductFactor::Form;

class ProductRoutes {
 public:
  explicit ProductRoutes(const NetworkProduct& product) : product_(product) {
    for (const ProductFactor& factor : product) npus_ *= factor.size;
  }

  // Adds the routes of these messages; returns whether there is one for each.
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
    return folded_.routes.contains(destination) || add_route(destination, dimension, stride, offset);
  }

  SymmetricRoutes take() { return std::move(folded_); }

 private:
  // Around a circle all messages have to go equally far, so their groups must be the circles. Where every NPU
  // is as near as any other, groups must lie within those of the factor.
  static bool stays_inside(const PeerMessages& messages, int stride, const ProductFactor& factor) {
    const LogicalDimension& group = messages.group;
    if (factor.form == Form::circle && factor.size > 2)
      return group.stride == stride && group.size == factor.size && !messages.exclusive_or;
    return group.stride % stride == 0 && stride * factor.size % (group.stride * group.size) == 0;
  }

  bool add_route(int destination, int dimension, int stride, int offset) {
    const ProductFactor& factor = product_[dimension];
    const auto npu = [](int number) { return fmt::format("npu{}", number); };
    SymmetricRoutes::Route route;
    int hops = 1;
    switch (factor.form) {
      case Form::circle: {
        if (factor.size > 2 && 2 * offset == factor.size && !factor.far_side_is_ahead) return false;
        const bool ahead = 2 * offset <= factor.size;
        hops = ahead ? offset : factor.size - offset;
        const int next = ahead || factor.both_ways_share ? 1 : factor.size - 1;
        add_use(route, dimension, npu(0), npu(stride * next), npus_, static_cast<std::uint32_t>(hops));
        break;
      }
      case Form::full:
        add_use(route, dimension, npu(0), npu(destination), npus_, 1);
        break;
      case Form::star: {
        hops = 2;
        const std::string first = fmt::format("switch{}", factor.first_switch);
        add_use(route, dimension, npu(0), first, npus_, 1);
        add_use(route, dimension, first, npu(0), npus_, 1);
        break;
      }
    }
    route.latency = factor.cable.latency * hops;
    route.bytes_per_ns = factor.cable.bandwidth.bytes_per_ns() * factor.cable.count;
    folded_.routes.emplace(destination, std::move(route));
    return true;
  }

  // Cables side by side are striped and have the same share of every message.
  void add_use(SymmetricRoutes::Route& route, int dimension, const std::string& from, const std::string& to,
               std::uint64_t links, std::uint32_t messages) {
    const auto [known, is_new] =
        numbers_.try_emplace({from, to}, static_cast<std::uint32_t>(folded_.links.size()));
    const Cable& cable = product_[dimension].cable;
    const auto count = static_cast<std::uint64_t>(cable.count);
    if (is_new) folded_.links.push_back({from, to, dimension, links * count, cable.bandwidth.bytes_per_ns()});
    route.uses.push_back({known->second, messages, static_cast<double>(messages) / cable.count});
  }

  const NetworkProduct& product_;
  std::uint64_t npus_ = 1;
  SymmetricRoutes folded_;
  std::map<int, std::pair<LogicalDimension, bool>> kinds_;                // of peers, by factor
  std::map<std::pair<std::string, std::string>, std::uint32_t> numbers_;  // of links, by ends
};

}  // namespace

std::optional<SymmetricRoutes> find_product_routes(const NetworkProduct& product,
                                                   const std::vector<PeerMessages>& messages) {
  ProductRoutes routes(product);
  for (const PeerMessages& some : messages)
    if (!routes.add(some)) return std::nullopt;
  return routes.take();
}

}  // namespace orrery::core
