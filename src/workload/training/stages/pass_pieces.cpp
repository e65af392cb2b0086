#include "workload/training/stages/pass_pieces.hpp"

#include <algorithm>

namespace orrery::core {

PassPieces::Block::Times PassPieces::times_of(const std::vector<Step>& steps) const {
  Block::Times times;
  const BlockTime time = time_of_steps(steps, device_of(setup_), exchange_time_of(setup_), &times.of_steps);
  times.all =
      launched_by_host(time, setup_.stack.host_time_per_operator, setup_.stack.host_time_per_exchange);
  times.host = times.all.total - time.total;
  // Where the host is behind, it is what operators wait for.
  const double shown = time.contended > Seconds() ? times.all.contended.count() / time.contended.count() : 0;
  for (Seconds& contended : times.of_steps.contended) contended = contended * shown;
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

// Operators take longer beside exchanges of weights and gradients, each in proportion to its time.
void PassPieces::add_steps(BlockKind kind, bool backward, double count, Seconds longer,
                           std::vector<PassPiece>& pieces) {
  const Block::Times& times = backward ? block(kind).backward : block(kind).forward;
  const std::vector<Step>& all = steps(kind, backward);
  const auto computes = [&](std::size_t i) { return std::holds_alternative<Operator>(all[i].work); };
  Seconds computing;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (computes(i)) computing += times.of_steps.parts[i];
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Seconds part = times.of_steps.parts[i];
    if (part == Seconds()) continue;
    const Seconds more = computes(i) ? longer * (part.count() / computing.count()) : Seconds();
    pieces.push_back({PassPiece::Kind::step, kind, i, count, part * count + more,
                      times.of_steps.contended[i] * count + more});
  }
  if (times.host > Seconds())
    pieces.push_back({PassPiece::Kind::host, kind, 0, count, times.host * count, {}});
}

OverlappedLayer PassPieces::layer(BlockKind kind, bool backward) {
  const bool in_parts = setup_.plan.zero >= 2;
  const BlockTime& time = (backward ? block(kind).backward : block(kind).forward).all;
  OverlappedLayer layer{time.total, contention_of(time), {}, {}};
  const BlockParameters& parameters = costs_.parts()[static_cast<std::size_t>(kind)];
  if (in_parts || !backward) layer.gather = costs_.weights(parameters).alone();
  if (in_parts && backward) layer.reduction = costs_.reduction(parameters).alone();
  return layer;
}

std::vector<PassPiece> PassPieces::of(int stage, const PassPart& part) {
  const bool backward = part.slot.backward;
  const std::vector<BlockKind> kinds = blocks_of_pass(setup_, stage, part);
  std::vector<OverlappedLayer> layers;
  for (const BlockKind kind : kinds) layers.push_back(layer(kind, backward));
  const OverlapCosts costs = costs_of_overlap(layers);
  struct Alike {
    double count = 0;
    Seconds longer;
  };
  std::map<BlockKind, Alike> alike;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    ++alike[kinds[i]].count;
    alike[kinds[i]].longer += Seconds::of(costs.longer[i]);
  }
  std::vector<PassPiece> pieces;
  for (const auto& [kind, of_kind] : alike) add_steps(kind, backward, of_kind.count, of_kind.longer, pieces);
  const auto add = [&](PassPiece::Kind kind, BlockKind of, Time time) {
    if (time > Time()) pieces.push_back({kind, of, 0, 1, Seconds::of(time), {}});
  };
  for (std::size_t i = 0; i < kinds.size(); ++i) add(PassPiece::Kind::weights, kinds[i], costs.waits[i]);
  if (!kinds.empty()) add(PassPiece::Kind::gradients, kinds.back(), costs.wait_at_end);
  if (!backward || part.first == 0)
    add(PassPiece::Kind::framework, BlockKind::layer, setup_.stack.time_per_pass);
  return pieces;
}

}  // namespace orrery::core
