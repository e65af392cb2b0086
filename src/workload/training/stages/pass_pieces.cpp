#include "workload/training/stages/pass_pieces.hpp"

#include <algorithm>

namespace orrery::core {

PassPieces::Block::Times PassPieces::times_of(const std::vector<Step>& steps) const {
  Block::Times times;
  const BlockTime time = time_of_steps(steps, *setup_.device.model, exchange_time_of(setup_),
                                       slowdown_of(setup_.stack), &times.of_steps);
  times.total =
      launched_by_host(time, setup_.stack.host_time_per_operator, setup_.stack.host_time_per_exchange).total;
  times.host = times.total - time.total;
  return times;
}

const PassPieces::Block& PassPieces::block(BlockKind kind) {
  const auto [found, is_new] = blocks_.try_emplace(kind);
  Block& block = found->second;
  if (!is_new) return block;
  block.steps = block_of(kind, setup_);
  block.forward = times_of(block.steps.forward);
  block.backward = times_of(block.steps.backward);
  return block;
}

const std::vector<Step>& PassPieces::steps(BlockKind kind, bool backward) {
  const Block& of_kind = block(kind);
  return backward ? of_kind.steps.backward : of_kind.steps.forward;
}

std::vector<BlockKind> blocks_of_pass(const TrainingSetup& setup, int stage, const PassPart& part) {
  std::vector<BlockKind> kinds =
      blocks_of_stage(setup.model, setup.plan,
                      static_cast<std::uint64_t>(stage))[static_cast<std::size_t>(part.slot.virtual_stage)];
  if (!part.slot.backward) return kinds;
  std::ranges::reverse(kinds);
  if (setup.plan.zero >= 2) return kinds;
  return {kinds.begin() + static_cast<std::ptrdiff_t>(std::min(part.first, kinds.size())),
          kinds.begin() + static_cast<std::ptrdiff_t>(std::min(part.end, kinds.size()))};
}

std::vector<PassPiece> PassPieces::of(int stage, const PassPart& part) {
  const bool backward = part.slot.backward, in_parts = setup_.plan.zero >= 2;
  const std::vector<BlockKind> kinds = blocks_of_pass(setup_, stage, part);
  std::map<BlockKind, double> counts;
  std::vector<OverlappedLayer> layers;
  for (const BlockKind kind : kinds) {
    const Block& of_kind = block(kind);
    ++counts[kind];
    OverlappedLayer layer{(backward ? of_kind.backward : of_kind.forward).total, {}, {}};
    const BlockParameters& parameters = costs_.parts()[static_cast<std::size_t>(kind)];
    if (in_parts || !backward) layer.gather = Seconds::of(costs_.weights(parameters).alone);
    if (in_parts && backward) layer.reduction = Seconds::of(costs_.reduction(parameters).alone);
    layers.push_back(layer);
  }
  std::vector<PassPiece> pieces;
  const auto add = [&](PassPiece::Kind kind, BlockKind of, std::size_t step, double count, Seconds time) {
    if (time > Seconds()) pieces.push_back({kind, of, step, count, time});
  };
  for (const auto& [kind, count] : counts) {
    const Block::Times& times = backward ? block(kind).backward : block(kind).forward;
    for (std::size_t i = 0; i < times.of_steps.size(); ++i)
      add(PassPiece::Kind::step, kind, i, count, times.of_steps[i] * count);
    add(PassPiece::Kind::host, kind, 0, count, times.host * count);
  }
  const std::vector<Seconds> waits = waits_for_exchanges(layers);
  for (std::size_t i = 0; i < kinds.size(); ++i) add(PassPiece::Kind::weights, kinds[i], 0, 1, waits[i]);
  if (!kinds.empty()) add(PassPiece::Kind::gradients, kinds.back(), 0, 1, waits.back());
  if (!backward || part.first == 0)
    add(PassPiece::Kind::framework, BlockKind::layer, 0, 1, Seconds::of(setup_.stack.time_per_pass));
  return pieces;
}

}  // namespace orrery::core
