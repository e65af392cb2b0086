#include "program/graph_edges.hpp"

namespace orrery::core {

GraphEdges reversed(const GraphEdges& edges) {
  GraphEdges result;
  result.first.assign(edges.size() + 1, 0);
  for (const std::uint32_t id : edges.ids) ++result.first[id + 1];
  for (std::uint32_t i = 0; i < edges.size(); ++i) result.first[i + 1] += result.first[i];
  result.ids.resize(edges.ids.size());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (std::uint32_t id = 0; id < edges.size(); ++id)
    for (const std::uint32_t other : edges.of(id)) result.ids[next[other]++] = id;
  return result;
}

}  // namespace orrery::core
