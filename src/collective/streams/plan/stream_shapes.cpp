#include "collective/streams/plan/stream_shapes.hpp"

#include <fmt/format.h>

#include "collective/phase/sent_messages.hpp"

namespace orrery::core {

Time StreamShapes::reduction_cost(Bytes bytes) const {
  if (config_.memory_gb_per_s <= 0) return {};
  const double ns = bytes.as_double() / (config_.memory_gb_per_s * 1e9) * 1e9;
  if (!Time::is_input_ns(ns * 3)) {
    throw CollectiveError(fmt::format(
        "reduces {} bytes at once, which takes more than 30 days at a local-mem-bw of {} GB/s: correct one",
        bytes.count(), config_.memory_gb_per_s));
  }
  return Time::from_ns_truncated(ns) * 3;
}

StreamShape StreamShapes::make(const StreamShapeRequest& request) const {
  const auto& [requested, kind, choice, input, n, backward, small, odd] = request;
  StreamShape made;
  made.schedule =
      choice.algorithm->make({kind, input, n, backward, choice.window, odd, config_.where_of(requested),
                              is_symmetric(kind) ? Time() : reduction_cost(input)});
  made.input = input;
  made.algorithm = choice.algorithm;
  made.kind = kind;
  if (const auto* tree = std::get_if<TreeSchedule>(&made.schedule))
    made.reductions = {reduction_cost(tree->bytes)};
  auto* exchange = std::get_if<ExchangeSchedule>(&made.schedule);
  if (!exchange) return made;
  if (small && choice.algorithm == &direct_algorithm) exchange->relayed = (n - 1) * exchange->in_flight;
  for (std::size_t i = 0; i < exchange->steps.size(); ++i) {
    const auto& step = exchange->steps[i];
    if (step.bytes == Bytes() && i < exchange->messages) {
      throw CollectiveError(fmt::format(
          "has a phase of {} bytes among {} ranks, whose messages would be empty: give it a larger "
          "comm_size, or lower preferred-dataset-splits",
          input.count(), n));
    }
    made.reductions.push_back(reduction_cost(step.bytes));
  }
  visit_messages(made.schedule, n, 0, [&](std::uint32_t, std::uint32_t, Bytes bytes, std::uint64_t messages) {
    made.sent += bytes * messages;
  });
  return made;
}

const StreamShape& StreamShapes::shape_of(const StreamShapeRequest& request) {
  const Key key{request.choice.algorithm, request.kind,     request.input.count(), request.members,
                request.choice.window,    request.backward, request.odd,           request.small};
  std::unique_ptr<StreamShape>& shape = shapes_[key];
  if (!shape) shape = std::make_unique<StreamShape>(make(request));
  return *shape;
}

}  // namespace orrery::core
