#include "workload/parameter_server/served_gradients.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "workload/astra1/scaling.hpp"

namespace orrery::core {

namespace {

// Returns the server of each layer that is held whole: the one that has fewest bytes until then, the largest
// layers first.
std::vector<int> servers_of_layers(const LayerTable& table, std::vector<std::int32_t> layers,
                                   const std::vector<int>& servers) {
  const auto bytes = [&](std::int32_t layer) {
    return table.layers[static_cast<std::size_t>(layer)].weight_gradient.size;
  };
  std::ranges::stable_sort(layers, std::greater<>(), bytes);
  std::vector<int> of_layers(table.layers.size());
  std::vector<Bytes> held(servers.size());
  for (const std::int32_t layer : layers) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(held) - held.begin());
    of_layers[static_cast<std::size_t>(layer)] = servers[least];
    held[least] += bytes(layer);
  }
  return of_layers;
}

}  // namespace

bool ServedTraining::serves(int replica) const {
  return std::ranges::binary_search(servers, replica);
}

ServedLayers::ServedLayers(const ServedTraining& training, std::vector<std::int32_t> layers,
                           std::vector<std::uint32_t> parts)
    : training_(training), layers_(std::move(layers)), parts_(std::move(parts)) {
  if (training.options().whole_layers)
    of_layers_ = servers_of_layers(training.table, layers_, training.servers);
}

Bytes ServedLayers::share_of(std::int32_t layer, int replica) const {
  const LayerStep& step = training_.table.layers[static_cast<std::size_t>(layer)].weight_gradient;
  if (!step.collective || !training_.serves(replica)) return {};
  if (!of_layers_.empty())
    return replica == of_layers_[static_cast<std::size_t>(layer)] ? step.size : Bytes();
  const auto servers = training_.servers.size();
  const auto number = static_cast<std::uint64_t>(replica - training_.servers.front());
  const bool one_more = number < step.size.count() % servers;
  return Bytes(step.size.count() / servers + (one_more ? 1 : 0));
}

ServedGradients::ServedGradients(const ServedLayers& layers, int replica)
    : layers_(layers),
      replica_(replica),
      awaited_(layers.training().table.layers.size(), nothing),
      gradients_(awaited_.size()),
      own_weights_(awaited_.size()),
      served_(static_cast<std::size_t>(layers.training().replicas)),
      applied_(awaited_.size()) {}

void ServedGradients::push(GraphBuilder& graph, std::int32_t layer, std::int32_t iteration) {
  iteration_ = iteration;
  awaited_[layer] = iteration;
  gradients_[layer] = graph.last();
  for (int distance = 1; distance < training().replicas; ++distance) {
    const int server = above(distance);
    const Bytes share = layers_.share_of(layer, server);
    if (share > Bytes())
      graph.after(graph.last(), message(OperationKind::send, Message::push, layer, server, share));
  }
}

void ServedGradients::pull(GraphBuilder& graph, std::int32_t layer) {
  const std::int32_t iteration = std::exchange(awaited_[layer], nothing);
  if (iteration == nothing) return;
  for (const int server : training().servers) {
    if (layers_.share_of(layer, server) == Bytes()) continue;
    if (server == replica_) {
      graph.wait_for(own_weights_[layer]);
      continue;
    }
    Operation receive = message(OperationKind::receive, Message::pull, layer, server, {});
    receive.iteration = iteration;
    graph.append(receive);
  }
}

void ServedGradients::end_step(GraphBuilder& graph, std::int32_t iteration) {
  iteration_ = iteration;
  const std::vector<std::int32_t>& layers = layers_.layers();
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    if (layers_.share_of(*layer, replica_) > Bytes())
      options().synchronous ? add_up(graph, *layer) : apply(graph, *layer);
}

// Every layer has a connection of its own, like copies on streams of their own: messages of a large layer do
// not hold up those of a small one.
Operation ServedGradients::message(OperationKind kind, Message what, std::int32_t layer, int peer,
                                   Bytes size) const {
  const auto tag = 2 * static_cast<std::uint32_t>(layer) + static_cast<std::uint32_t>(what);
  return {.kind = kind,
          .pass = Pass::weight_gradient,
          .layer = layer,
          .iteration = iteration_,
          .message = {layers_.part_of(peer), tag, size, tag}};
}

// Adds up or applies this replica's share once.
Operation ServedGradients::update(std::int32_t layer) const {
  Time duration;
  if (options().update_bandwidth)
    duration = scaled(Time::from_ns_rounded(layers_.share_of(layer, replica_).as_double() /
                                            options().update_bandwidth->bytes_per_ns()),
                      training().compute_scale, training().dialect);
  return {OperationKind::compute, Pass::weight_gradient, layer, iteration_, duration};
}

// Adds an operation behind everything that the server has done for `line` until now.
ExecutionGraph::Id ServedGradients::serve(GraphBuilder& graph, Id& line, Operation operation,
                                          std::vector<Id> waits) const {
  operation.background = true;
  waits.insert(waits.begin(), line);
  return line = graph.after(waits, operation);
}

// Takes in the gradients of a worker, and spends the time that their bytes cost.
ExecutionGraph::Id ServedGradients::take(GraphBuilder& graph, Id& line, std::int32_t layer,
                                         int worker) const {
  const Operation work = update(layer);
  if (worker == replica_) return serve(graph, line, work, {gradients_[layer]});
  serve(graph, line, message(OperationKind::receive, Message::push, layer, worker, {}));
  return serve(graph, line, work);
}

void ServedGradients::answer(GraphBuilder& graph, std::int32_t layer, int worker, std::vector<Id> when) {
  if (worker == replica_) {
    own_weights_[layer] = std::move(when);
    return;
  }
  Operation send =
      message(OperationKind::send, Message::pull, layer, worker, layers_.share_of(layer, replica_));
  send.background = true;
  graph.after(when, send);
}

void ServedGradients::add_up(GraphBuilder& graph, std::int32_t layer) {
  const int replicas = training().replicas;
  Id& line = served_[0];
  for (int i = 0; i < replicas; ++i) {
    // Messages are taken in the order in which they come. Where all send to several, they come from the
    // replicas below this one, the nearest first.
    const int worker = training().servers.size() > 1 ? above(replicas - i) : i;
    if (training().trains(worker)) take(graph, line, layer, worker);
  }
  serve(graph, line, update(layer));
  for (int distance = 1; distance <= replicas; ++distance)
    if (training().trains(above(distance))) answer(graph, layer, above(distance), {line});
}

void ServedGradients::apply(GraphBuilder& graph, std::int32_t layer) {
  std::vector<Id> now, all_now;  // by replica, and of those that train
  for (int worker = 0; worker < training().replicas; ++worker) {
    const bool trains = training().trains(worker);
    now.push_back(trains ? take(graph, served_[worker], layer, worker) : Id());
    if (trains) all_now.push_back(now.back());
  }
  Operation all{OperationKind::transition, Pass::weight_gradient, layer, iteration_};
  all.background = true;
  applied_[layer].push_back(graph.after(all_now, all));
  const int slowest = iteration_ - options().staleness;
  for (int distance = 1; distance <= training().replicas; ++distance) {
    const int worker = above(distance);
    if (!training().trains(worker)) continue;
    std::vector<Id> when{now[worker]};
    if (slowest >= 0) when.push_back(applied_[layer][slowest]);
    answer(graph, layer, worker, std::move(when));
  }
}

}  // namespace orrery::core
