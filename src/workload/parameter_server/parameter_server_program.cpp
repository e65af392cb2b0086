#include "workload/parameter_server/parameter_server_program.hpp"

#include <fmt/format.h>

#include "workload/astra1/scaling.hpp"
#include "workload/parameter_server/worker_program.hpp"

namespace orrery {

namespace {

void check_parameter_server(const LayerTable& table, int npus, int passes) {
  const ParameterServerOptions& options = *table.parameter_server;
  if (!options.sharded && options.rank >= npus)
    throw InputError(
        options.rank_where,
        fmt::format("the server is rank {}, but the machine's last one is {}, choose another `rank`",
                    options.rank, npus - 1));
  constexpr double most_exchanges = 1 << 21;  // of some kilobytes
  const double exchanges = double(table.layers.size()) * passes * npus * (options.sharded ? npus : 1);
  if (exchanges > most_exchanges)
    throw InputError(
        options.where,
        fmt::format("{} ranks that exchange {} layers in {} training passes are more than fit into "
                    "memory, simulate fewer passes",
                    npus, table.layers.size(), passes));
}

// Shares of a layer that differ by a byte at most.
std::vector<Bytes> shares(Bytes size, const ParameterServerOptions& options, int npus) {
  const auto servers = static_cast<std::uint64_t>(npus);
  std::vector<Bytes> result(servers);
  if (!options.sharded) {
    result[static_cast<std::size_t>(options.rank)] = size;
    return result;
  }
  for (std::uint64_t server = 0; server < servers; ++server)
    result[server] = Bytes(size.count() / servers + (server < size.count() % servers ? 1 : 0));
  return result;
}

Time update_time(Bytes share, const ParameterServerOptions& options) {
  if (!options.update_bandwidth) return {};
  return Time::from_ns_rounded(share.as_double() / options.update_bandwidth->bytes_per_ns());
}

}  // namespace

Program parameter_server_program(const LayerTable& table, int npus, int passes, const Dialect& dialect,
                                 const Scales& scales) {
  check_parameter_server(table, npus, passes);
  ServedTraining training;
  training.options = *table.parameter_server;
  training.workers = npus;
  training.passes = passes;
  for (const Layer& layer : table.layers) {
    training.names.push_back(layer.name);
    ServedLayer& served = training.layers.emplace_back();
    served.forward = scaled(layer.forward.compute, scales.compute, dialect);
    served.input_gradient = scaled(layer.input_gradient.compute, scales.compute, dialect);
    served.weight_gradient = scaled(layer.weight_gradient.compute, scales.compute, dialect);
    const bool exchanged = layer.weight_gradient.collective.has_value();
    const Bytes size =
        exchanged ? scaled(layer.weight_gradient.size, scales.communication, dialect) : Bytes();
    served.shares = shares(size, training.options, npus);
    for (const Bytes share : served.shares)
      served.updates.push_back(scaled(update_time(share, training.options), scales.compute, dialect));
  }

  Program program;
  program.where = training.options.where;
  program.parts_train_alike = true;
  for (int rank = 0; rank < npus; ++rank) {
    const bool serves = training.options.sharded || training.options.rank == rank;
    program.parts.push_back({fmt::format("{} {}", serves ? "server and worker" : "worker", rank),
                             worker_program(training, rank),
                             {static_cast<std::uint32_t>(rank)},
                             0});
  }
  return program;
}

}  // namespace orrery
