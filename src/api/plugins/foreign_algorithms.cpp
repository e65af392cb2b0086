// Collective algorithms of plug-ins as lists of sends.
#include <fmt/format.h>

#include <utility>

#include "api/plugins/extensions.hpp"
#include "collective/algorithms/written/foreign_algorithm.hpp"

namespace orrery::core {
namespace {

std::optional<Collective> collective_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return Collective::all_reduce;
    case CollectiveKind::reduce_scatter:
      return Collective::reduce_scatter;
    case CollectiveKind::all_gather:
      return Collective::all_gather;
    case CollectiveKind::all_to_all:
      return Collective::all_to_all;
    default:
      return std::nullopt;
  }
}

SendList list_of(const orrery::SendList& written, CollectiveKind kind, std::uint32_t members) {
  SendList list;
  list.kind = kind;
  list.members = members;
  list.chunks = written.chunks;
  for (const Send& send : written.sends)
    list.sends.push_back({send.from, send.to, send.chunk, send.into, send.count, send.reduces});
  return list;
}

}  // namespace

void add_foreign_algorithms(const Registry& registry, Extensions& extensions) {
  for (const auto& [name, algorithm] : registry.algorithms()) {
    const std::string what = "the algorithm `" + name + "`";
    const SourceLocation where{what + " of a plug-in"};
    const auto sends = [what, where, algorithm = algorithm](
                           CollectiveKind kind, std::uint32_t members) -> std::optional<SendList> {
      const std::optional<Collective> collective = collective_of(kind);
      return call_plugin(what, where, [&]() -> std::optional<SendList> {
        if (!collective || !algorithm->runs(*collective, members)) return std::nullopt;
        return list_of(algorithm->sends(*collective, members), kind, members);
      });
    };
    extensions.add(name, ForeignAlgorithmEntry(std::make_shared<const ForeignAlgorithm>(name, where, sends)));
  }
}

}  // namespace orrery::core
