// Carries out the collectives whose time a program says, and leaves the others to another service.
#pragma once

#include <memory>
#include <utility>

#include "collective/timed_collectives.hpp"
#include "program/program.hpp"

namespace orrery {

// Returns whether a program has collectives whose time it says.
bool has_known_collectives(const Program& program);

class KnownCollectives final : public TimedCollectives {
 public:
  // Keeps references, as TimedCollectives does.
  KnownCollectives(EventLoop& loop, const CollectiveRanks& ranks, CollectiveListener& listener,
                   std::unique_ptr<CollectiveService> others)
      : TimedCollectives(loop, ranks, listener), others_(std::move(others)) {}

  [[nodiscard]] Issued issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request,
                             Stamp at) override {
    return request.takes ? TimedCollectives::issue(rank, token, request, at)
                         : others_->issue(rank, token, request, at);
  }
  void end() override { others_->end(); }
  const ChunkRecords& records(std::uint32_t part) const override { return others_->records(part); }
  const std::vector<Bytes>& payload(std::uint32_t part) const override { return others_->payload(part); }
  std::uint64_t messages() const override { return others_->messages(); }
  PhaseCounts phases() const override { return others_->phases(); }
  std::vector<Waiting> waiting() const override;

 private:
  Time duration_of(const CollectiveRequest& request) override { return *request.takes; }

  std::unique_ptr<CollectiveService> others_;
};

}  // namespace orrery
