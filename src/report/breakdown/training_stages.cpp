#include "report/breakdown/training_stages.hpp"

#include <algorithm>

namespace orrery::core {

StageSums::StageSums(const Program& program)
    : program_(program),
      has_passes_(!program.issues_in_slots() &&
                  std::ranges::all_of(program.parts, [](const ProgramPart& part) {
                    return !part.graph.layer_names.empty();
                  })) {}

void StageSums::add(std::uint32_t part, std::span<const Span> spans, std::uint64_t ranks) {
  if (!has_passes_) return;
  const ExecutionGraph& graph = program_.parts[part].graph;
  for (const Span& span : spans)
    if (span.spent != Spent::step) stage_of(graph, span).add(span.length(), ranks);
  ranks_ += ranks;
}

RankSum& StageSums::stage_of(const ExecutionGraph& graph, const Span& span) {
  const HostWork host = graph.host_work(span.operation);
  if (host == HostWork::evaluation) return evaluation_;
  if (host == HostWork::exchanges || span.spent == Spent::update) return update_;
  if (graph.pass(span.operation) == Pass::forward) return forward_;
  const bool exchanges_gradients = !span.computes() && graph.pass(span.operation) == Pass::weight_gradient;
  return exchanges_gradients ? update_ : backward_;
}

std::optional<StageTimes> StageSums::mean() const {
  if (!has_passes_ || ranks_ == 0) return std::nullopt;
  return StageTimes{forward_.mean(ranks_), backward_.mean(ranks_), update_.mean(ranks_),
                    evaluation_.mean(ranks_)};
}

}  // namespace orrery::core
