#include "report/breakdown/breakdown.hpp"

#include "report/breakdown/layer_sums.hpp"
#include "report/breakdown/rank_sums.hpp"

namespace orrery::core {

namespace {

// Adds up what the ranks of a part wait for.
class PartSums {
 public:
  explicit PartSums(std::size_t communicators) : exposed_(communicators) {}

  void add(std::span<const Span> spans, const TimeParts& parts, std::uint64_t ranks) {
    parts_.add(parts, ranks);
    for (const Span& span : spans) {
      if (span.spent != Spent::wait) continue;
      const bool collective = span.communicator != no_communicator;
      (collective ? awaits_collectives_ : awaits_messages_).add(span.length(), ranks);
      (collective ? exposed_[span.communicator] : exposed_messages_).add(span.exposed(), ranks);
    }
  }

  void add(const PartSums& other) {
    parts_.add(other.parts_);
    awaits_messages_.add(other.awaits_messages_);
    awaits_collectives_.add(other.awaits_collectives_);
    exposed_messages_.add(other.exposed_messages_);
    for (std::size_t i = 0; i < exposed_.size(); ++i) exposed_[i].add(other.exposed_[i]);
  }

  PartTime mean(Time step) const {
    const std::uint64_t ranks = parts_.ranks();
    PartTime mean{parts_.mean(step),
                  awaits_messages_.mean(ranks),
                  awaits_collectives_.mean(ranks),
                  {},
                  exposed_messages_.mean(ranks)};
    for (const RankSum& exposed : exposed_) mean.exposed.push_back(exposed.mean(ranks));
    return mean;
  }

 private:
  MeanParts parts_;
  RankSum awaits_messages_, awaits_collectives_, exposed_messages_;
  std::vector<RankSum> exposed_;  // by communicator
};

}  // namespace

Breakdown breakdown_of(const Program& program, const Recording& recording) {
  const RankSpans ranks(program, recording);
  Breakdown breakdown;
  breakdown.step = ranks.step();
  breakdown.last_rank = ranks.last_rank();
  PartSums all(program.communicators.size());
  std::vector<PartSums> of_parts(program.parts.size(), all);
  LayerSums layers(program, recording);
  StageSums stages(program);
  for (const ClassRecord& of : ranks.classes()) {
    const std::vector<Span> spans = ranks.spans(of);
    const TimeParts parts = ranks.parts(of, spans);
    breakdown.classes.push_back({of.part, of.rank, of.ranks, ranks.own_end(of), parts});
    of_parts[of.part].add(spans, parts, of.ranks);
    layers.add(of, spans);
    stages.add(of.part, spans, of.ranks);
  }
  for (const PartSums& part : of_parts) all.add(part);
  PartTime mean = all.mean(breakdown.step);
  breakdown.mean = mean.parts;
  breakdown.exposed = std::move(mean.exposed);
  breakdown.exposed_messages = mean.exposed_messages;
  for (const PartSums& part : of_parts) breakdown.parts.push_back(part.mean(breakdown.step));
  breakdown.layers = layers.layers();
  breakdown.stages = stages.mean();
  return breakdown;
}

}  // namespace orrery::core
