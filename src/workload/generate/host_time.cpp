#include "workload/generate/host_time.hpp"

#include <algorithm>

namespace orrery::core {

namespace {

void add(Time& compute, Time each, double times, const SourceLocation& where) {
  const double ns = compute.ns() + each.ns() * times;
  if (!Time::is_input_ns(ns))
    throw InputError(where, "a layer takes more than 30 days with the time of the host; make that smaller");
  compute = Time::from_ns_rounded(ns);
}

}  // namespace

LayerTable with_host_time(LayerTable table, int npus) {
  if (!table.host || table.layers.empty()) return table;
  const HostTimes& host = *table.host;
  const int served = host.npus > 0 ? std::min(host.npus, npus) : npus;
  add(table.layers.front().forward.compute, host.sample, double(served) * table.samples, host.where);
  for (Layer& layer : table.layers)
    if (layer.weight_gradient.collective)
      add(layer.weight_gradient.compute, host.exchange, double(served - 1) * layer.arrays, host.where);
  return table;
}

}  // namespace orrery::core
