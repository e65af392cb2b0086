#include "workload/parameter_server/parameter_server_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "program/graph_builder.hpp"
#include "workload/astra1/host_operation.hpp"

namespace orrery::core {

namespace {

// The ranks that are servers, ascending.
std::vector<int> servers_of(const ParameterServerOptions& options, int npus) {
  const int first = options.servers ? options.rank : 0;
  std::vector<int> servers(static_cast<std::size_t>(options.servers.value_or(npus)));
  std::iota(servers.begin(), servers.end(), first);
  return servers;
}

void check_parameter_server(const LayerTable& table, int npus, int passes) {
  const ParameterServerOptions& options = *table.parameter_server;
  const int servers = options.servers.value_or(npus);
  if (options.servers && options.rank > npus - servers)
    throw InputError(
        options.rank_where,
        servers == 1
            ? fmt::format("the server is rank {}, but the machine's last one is {}, choose another `rank`",
                          options.rank, npus - 1)
            : fmt::format(
                  "the servers are {} ranks from {} on, but the machine's last one is {}, choose fewer "
                  "`servers` or another `rank`",
                  servers, options.rank, npus - 1));
  if (!options.servers_train && servers == npus)
    throw InputError(options.where, "no NPU is left that trains; choose fewer `servers`");
  constexpr double max_exchanges = 1 << 21;  // of some kilobytes
  const double exchanges = double(table.layers.size()) * passes * npus * servers;
  if (exchanges > max_exchanges)
    throw InputError(
        options.where,
        fmt::format("{} ranks that exchange {} layers in {} training passes are more than fit into "
                    "memory, simulate fewer passes",
                    npus, table.layers.size(), passes));
}

// Returns the server of each layer that is held whole: the one that has fewest bytes until then, the largest
// layers first.
std::vector<int> servers_of_layers(const LayerTable& table, const std::vector<int>& servers) {
  std::vector<std::size_t> layers(table.layers.size());
  std::iota(layers.begin(), layers.end(), std::size_t{0});
  const auto bytes = [&](std::size_t layer) { return table.layers[layer].weight_gradient.size; };
  std::ranges::stable_sort(layers, std::greater<>(), bytes);
  std::vector<int> of_layers(layers.size());
  std::vector<Bytes> held(servers.size());
  for (const std::size_t layer : layers) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(held) - held.begin());
    of_layers[layer] = servers[least];
    held[least] += bytes(layer);
  }
  return of_layers;
}

// The part of the training that is the same for all ranks.
struct ServedTraining {
  LayerTable table;  // scaled
  int npus = 1;
  int passes = 1;
  double compute_scale = 1;
  Dialect dialect;
  std::vector<int> servers;    // ranks, ascending
  std::vector<int> of_layers;  // the server of each layer; empty: each holds a share of all

  bool serves(int rank) const { return std::ranges::binary_search(servers, rank); }
  bool trains(int rank) const { return table.parameter_server->servers_train || !serves(rank); }
};

using Id = ExecutionGraph::Id;
enum class Message : std::uint32_t { push, pull };

// Writes down the program of one rank: step by step first what it computes, if it trains, then what it does
// as a server.
class WorkerWriter {
 public:
  WorkerWriter(const ServedTraining& training, int rank)
      : training_(training),
        rank_(rank),
        trains_(training.trains(rank)),
        gradients_(training.table.layers.size()),
        own_weights_(training.table.layers.size()),
        applied_(training.table.layers.size()),
        graph_(training.table.names()) {}

  ExecutionGraph write() {
    const auto layers = static_cast<std::int32_t>(training_.table.layers.size());
    served_.assign(static_cast<std::size_t>(training_.npus), graph_.last());
    for (iteration_ = 0; iteration_ < training_.passes; ++iteration_) {
      if (trains_) train(layers);
      for (std::int32_t layer = layers; layer-- > 0;)
        if (share_of(layer, rank_) > Bytes()) options().synchronous ? add_up(layer) : apply(layer);
    }
    --iteration_;
    if (!trains_) graph_.wait_for(served_);
    for (std::int32_t layer = 0; trains_ && layer < layers; ++layer) pull(layer, iteration_);
    return graph_.end(iteration_);
  }

 private:
  void train(std::int32_t layers) {
    for (std::int32_t layer = 0; layer < layers; ++layer) {
      if (iteration_ > 0) pull(layer, iteration_ - 1);
      compute(Pass::forward, layer);
    }
    for (std::int32_t layer = layers; layer-- > 0;) {
      compute(Pass::weight_gradient, layer);
      wait_for_host(HostWork::exchanges, Pass::weight_gradient, layer, layer_of(layer).host_calls);
      gradients_[layer] = graph_.last();
      push(layer);
      if (layer > 0) compute(Pass::input_gradient, layer);
    }
    wait_for_host(HostWork::evaluation, Pass::forward, layers - 1, training_.table.evaluation);
    graph_.end_iteration(iteration_);
  }

  const ParameterServerOptions& options() const { return *training_.table.parameter_server; }
  const Layer& layer_of(std::int32_t number) const {
    return training_.table.layers[static_cast<std::size_t>(number)];
  }

  // Bytes of the layer that the rank serves; shares differ by a byte at most.
  Bytes share_of(std::int32_t layer, int rank) const {
    const LayerStep& step = layer_of(layer).weight_gradient;
    if (!step.collective || !training_.serves(rank)) return {};
    if (!training_.of_layers.empty())
      return rank == training_.of_layers[static_cast<std::size_t>(layer)] ? step.size : Bytes();
    const auto servers = training_.servers.size();
    const auto number = static_cast<std::uint64_t>(rank - training_.servers.front());
    const bool one_more = number < step.size.count() % servers;
    return Bytes(step.size.count() / servers + (one_more ? 1 : 0));
  }

  void compute(Pass pass, std::int32_t layer) {
    const LayerStep& step = layer_of(layer).step(pass);
    wait_for_host(HostWork::launches, pass, layer, step.awaits_host);
    graph_.append({OperationKind::compute, pass, layer, iteration_, step.compute});
  }

  void wait_for_host(HostWork work, Pass pass, std::int32_t layer, Time time) {
    if (time > Time()) graph_.append(host_operation(work, pass, layer, iteration_, time));
  }

  // Every layer has a connection of its own, like copies on streams of their own: messages of a large layer
  // do not hold up those of a small one.
  Operation message(OperationKind kind, Message what, std::int32_t layer, int peer, Bytes size) const {
    const auto tag = 2 * static_cast<std::uint32_t>(layer) + static_cast<std::uint32_t>(what);
    return {.kind = kind,
            .pass = Pass::weight_gradient,
            .layer = layer,
            .iteration = iteration_,
            .message = {static_cast<std::uint32_t>(peer), tag, size, tag}};
  }

  // Returns the rank that is this far above this one; the last in that order is the rank itself. When
  // everyone sends to others in this order, no two send to the same one at a time.
  int above(int distance) const { return (rank_ + distance) % training_.npus; }

  void push(std::int32_t layer) {
    for (int distance = 1; distance < training_.npus; ++distance) {
      const int server = above(distance);
      const Bytes share = share_of(layer, server);
      if (share > Bytes())
        graph_.after(graph_.last(), message(OperationKind::send, Message::push, layer, server, share));
    }
  }

  // Receives the weights that follow from the gradients of `iteration`.
  void pull(std::int32_t layer, std::int32_t iteration) {
    for (const int server : training_.servers) {
      if (share_of(layer, server) == Bytes()) continue;
      if (server == rank_) {
        graph_.wait_for(own_weights_[layer]);
        continue;
      }
      Operation receive = message(OperationKind::receive, Message::pull, layer, server, {});
      receive.iteration = iteration;
      graph_.append(receive);
    }
  }

  // Adds an operation behind everything that the server has done for `line` until now.
  Id serve(Id& line, Operation operation, std::vector<Id> waits = {}) {
    operation.background = true;
    waits.insert(waits.begin(), line);
    return line = graph_.after(waits, operation);
  }

  // Takes in the gradients of a worker, and spends the time that their bytes cost.
  Id take(Id& line, std::int32_t layer, int worker) {
    const Operation work = update(layer);
    if (worker == rank_) return serve(line, work, {gradients_[layer]});
    serve(line, message(OperationKind::receive, Message::push, layer, worker, {}));
    return serve(line, work);
  }

  void answer(std::int32_t layer, int worker, std::vector<Id> when) {
    if (worker == rank_) {
      own_weights_[layer] = std::move(when);
      return;
    }
    Operation send = message(OperationKind::send, Message::pull, layer, worker, share_of(layer, rank_));
    send.background = true;
    graph_.after(when, send);
  }

  void add_up(std::int32_t layer) {
    Id& line = served_[0];
    for (int i = 0; i < training_.npus; ++i) {
      // Messages are taken in the order in which they come. Where all send to several, they come from the
      // ranks below this one, the nearest first.
      const int worker = training_.servers.size() > 1 ? above(training_.npus - i) : i;
      if (training_.trains(worker)) take(line, layer, worker);
    }
    serve(line, update(layer));
    for (int distance = 1; distance <= training_.npus; ++distance)
      if (training_.trains(above(distance))) answer(layer, above(distance), {line});
  }

  void apply(std::int32_t layer) {
    std::vector<Id> now, all_now;  // by rank, and of those that train
    for (int worker = 0; worker < training_.npus; ++worker) {
      now.push_back(training_.trains(worker) ? take(served_[worker], layer, worker) : Id());
      if (training_.trains(worker)) all_now.push_back(now.back());
    }
    Operation all{OperationKind::transition, Pass::weight_gradient, layer, iteration_};
    all.background = true;
    applied_[layer].push_back(graph_.after(all_now, all));
    const int slowest = iteration_ - options().staleness;
    for (int distance = 1; distance <= training_.npus; ++distance) {
      const int worker = above(distance);
      if (!training_.trains(worker)) continue;
      std::vector<Id> when{now[worker]};
      if (slowest >= 0) when.push_back(applied_[layer][slowest]);
      answer(layer, worker, std::move(when));
    }
  }

  // Adds up or applies this rank's share once.
  Operation update(std::int32_t layer) const {
    Time duration;
    if (options().update_bandwidth)
      duration = scaled(Time::from_ns_rounded(share_of(layer, rank_).as_double() /
                                              options().update_bandwidth->bytes_per_ns()),
                        training_.compute_scale, training_.dialect);
    return {OperationKind::compute, Pass::weight_gradient, layer, iteration_, duration};
  }

  const ServedTraining& training_;
  const int rank_;
  const bool trains_;
  std::vector<Id> gradients_;                 // of this step, by layer
  std::vector<std::vector<Id>> own_weights_;  // by layer, what has to be done before they are new
  std::vector<Id> served_;                    // last of the server's, asynchronous ones by worker
  std::vector<std::vector<Id>> applied_;      // asynchronous: by layer and iteration, the gradients of all
  std::int32_t iteration_ = 0;
  GraphBuilder graph_;
};

}  // namespace

Program parameter_server_program(const LayerTable& table, int npus, int passes, const Dialect& dialect,
                                 const Scales& scales) {
  check_parameter_server(table, npus, passes);
  const ParameterServerOptions& options = *table.parameter_server;
  ServedTraining training{scaled(table, scales, dialect), npus, passes, scales.compute, dialect, {}, {}};
  training.servers = servers_of(options, npus);
  if (options.whole_layers) training.of_layers = servers_of_layers(training.table, training.servers);
  Program program;
  program.where = options.where;
  program.parts_train_alike = true;
  for (int rank = 0; rank < npus; ++rank) {
    const char* const role = !training.serves(rank)  ? "worker"
                             : training.trains(rank) ? "server and worker"
                                                     : "server";
    program.parts.push_back(
        {fmt::format("{} {}", role, rank), WorkerWriter(training, rank).write(), {RankId(rank)}, 0});
  }
  return program;
}

}  // namespace orrery::core
