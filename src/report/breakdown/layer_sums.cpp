#include "report/breakdown/layer_sums.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery::core {

namespace {

constexpr std::size_t no_layer = SIZE_MAX;

bool is_asked_of_others(OperationKind kind) {
  return kind == OperationKind::collective || is_message(kind) || kind == OperationKind::load ||
         kind == OperationKind::store;
}

}  // namespace

LayerSums::LayerSums(const Program& program, const Recording& recording)
    : program_(program),
      recording_(recording),
      operations_are_layers_(program.issues_in_slots()),
      layers_of_parts_(program.parts.size()) {
  if (!program.messages_name_ranks && program.parts.size() > 1)
    messages_ = recording.without_communication && recording.without_communication->messages
                    ? recording.without_communication->messages
                    : std::make_shared<const MessagePairs>(program);
  for (std::size_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    if (operations_are_layers_)
      layers_of_parts_[part].assign(graph.size(), no_layer);
    else
      for (const std::string& name : graph.layer_names) layers_of_parts_[part].push_back(layer_named(name));
  }
}

// Parts mostly have the same names in the same order, so the one behind the last one is looked at first.
std::size_t LayerSums::layer_named(std::string_view name) {
  if (++last_named_ < names_.size() && names_[last_named_] == name) return last_named_;
  const auto [known, is_new] = index_of_.try_emplace(name, names_.size());
  if (is_new) {
    names_.push_back(name);
    sums_.emplace_back();
  }
  return last_named_ = known->second;
}

LayerSums::Sums* LayerSums::layer_of(const ExecutionGraph& graph, std::vector<std::size_t>& layers, Id id) {
  if (!operations_are_layers_)
    return graph.layer(id) < 0 ? nullptr : &sums_[layers[static_cast<std::size_t>(graph.layer(id))]];
  std::size_t& layer = layers[id];
  if (layer == no_layer) {
    std::string_view name = graph.name(id);
    if (name.empty()) name = made_names_.emplace_back(fmt::format("node {}", graph.number(id)));
    layer = layer_named(name);
  }
  return &sums_[layer];
}

void LayerSums::add(const ClassRecord& of, std::span<const Span> spans) {
  const ExecutionGraph& graph = program_.parts[of.part].graph;
  std::vector<std::size_t>& layers = layers_of_parts_[of.part];
  for (Id id = 0; id < graph.size(); ++id) {
    const bool communicates = is_asked_of_others(graph.kind(id));
    const bool computes = graph.kind(id) == OperationKind::compute;
    // Where operations are layers, these come in the order of the operations that take time.
    if (!communicates && !(computes && operations_are_layers_)) continue;
    if (of.operations[id].start == of.operations[id].end || graph.is_background(id)) continue;
    Sums* const layer = layer_of(graph, layers, id);
    if (layer && communicates) layer->communication.add(under_way(of, id), of.ranks);
  }
  for (const Span& span : spans) {
    Sums* const layer = span.spent == Spent::step ? nullptr : layer_of(graph, layers, span.operation);
    if (!layer) continue;
    if (span.computes())
      layer->compute.add(span.length(), of.ranks);
    else
      layer->exposed.add(span.exposed(), of.ranks);
  }
  ranks_ += of.ranks;
}

// Returns how long communication is under way: a collective from where the rank issues it until it ends,
// without an update that follows it, and a message from where it is sent.
Time LayerSums::under_way(const ClassRecord& of, Id id) const {
  const ExecutionGraph& graph = program_.parts[of.part].graph;
  const Interval& interval = of.operations[id];
  if (graph.kind(id) == OperationKind::collective && !graph.is_timed(id))
    return std::max(Time(), interval.end - interval.start - graph.delay(id));
  if (!messages_ || graph.kind(id) != OperationKind::receive) return interval.end - interval.start;
  const Id send = messages_->send_of(of.part, id);
  if (send == MessagePairs::none) return interval.end - interval.start;
  const Time sent = operations_at_place_of(of, graph.message(id).peer)[send].start;
  return std::max(Time(), interval.end - std::max(interval.start, sent));
}

const std::vector<Interval>& LayerSums::operations_at_place_of(const ClassRecord& of,
                                                               std::uint32_t peer) const {
  if (!recording_.has_every_class()) return recording_.lowest_of(peer).operations;
  return recording_.operations_of(rank_at_same_place(program_, of.part, of.rank, peer));
}

std::vector<LayerTime> LayerSums::layers() const {
  std::vector<LayerTime> layers;
  for (std::size_t i = 0; i < names_.size(); ++i)
    layers.push_back({std::string(names_[i]), sums_[i].compute.mean(ranks_),
                      sums_[i].communication.mean(ranks_), sums_[i].exposed.mean(ranks_)});
  return layers;
}

}  // namespace orrery::core
