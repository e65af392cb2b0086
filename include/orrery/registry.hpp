// What experiments may name besides that which comes with Orrery. A plug-in is a shared library that adds to
// a registry. The whole of one is examples/plugins/hypercube.cpp.
//
//   #include <orrery/registry.hpp>
//   class Star : public orrery::NetworkBuilder { ... };
//   extern "C" void orrery_plugin(orrery::Registry& registry) { registry.add<Star>("star"); }
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/collective_algorithm.hpp"
#include "orrery/compute_model.hpp"
#include "orrery/congestion_control.hpp"
#include "orrery/diagnostics.hpp"
#include "orrery/experimental/network_model.hpp"
#include "orrery/export.hpp"
#include "orrery/exporter.hpp"
#include "orrery/network_builder.hpp"
#include "orrery/routing.hpp"
#include "orrery/table.hpp"

namespace orrery {

// A value type: copies share the parts, which do not change, but not their lists. One thread may add to a
// registry, or several may read it.
class Registry {
 public:
  // Parts by their names.
  template <class Part>
  using Named = std::map<std::string, std::shared_ptr<const Part>, std::less<>>;

  // Makes a part, which may be of any kind below, and adds it under a name. A name that the registry has
  // already for this kind then stands for the new part. Names that come with Orrery stay what they are.
  template <class Part, class... Arguments>
  void add(std::string name, Arguments&&... arguments) {
    add(std::move(name), std::make_shared<const Part>(std::forward<Arguments>(arguments)...));
  }

  // Adds a form of networks that is there already.
  void add(std::string name, std::shared_ptr<const NetworkBuilder> part) {
    networks_.insert_or_assign(std::move(name), std::move(part));
  }
  // Adds a collective algorithm that is there already.
  void add(std::string name, std::shared_ptr<const CollectiveAlgorithm> part) {
    algorithms_.insert_or_assign(std::move(name), std::move(part));
  }
  // Adds a routing that is there already.
  void add(std::string name, std::shared_ptr<const Routing> part) {
    routings_.insert_or_assign(std::move(name), std::move(part));
  }
  // Adds a congestion control that is there already.
  void add(std::string name, std::shared_ptr<const CongestionControl> part) {
    congestion_controls_.insert_or_assign(std::move(name), std::move(part));
  }
  // Adds a compute model that is there already.
  void add(std::string name, std::shared_ptr<const ComputeModel> part) {
    compute_models_.insert_or_assign(std::move(name), std::move(part));
  }
  // Adds an exporter that is there already.
  void add(std::string name, std::shared_ptr<const Exporter> part) {
    exporters_.insert_or_assign(std::move(name), std::move(part));
  }

  // Adds a network model that is there already. This kind is experimental.
  void add(std::string name, std::shared_ptr<const experimental::NetworkModel> part) {
    network_models_.insert_or_assign(std::move(name), std::move(part));
  }

  const Named<NetworkBuilder>& networks() const { return networks_; }
  const Named<CollectiveAlgorithm>& algorithms() const { return algorithms_; }
  const Named<Routing>& routings() const { return routings_; }
  const Named<CongestionControl>& congestion_controls() const { return congestion_controls_; }
  const Named<ComputeModel>& compute_models() const { return compute_models_; }
  const Named<Exporter>& exporters() const { return exporters_; }
  const Named<experimental::NetworkModel>& network_models() const { return network_models_; }

  // Loads a shared library and has its orrery_plugin() add to this registry. The library stays loaded until
  // the program ends. Returns what is wrong: the file cannot be loaded, it is no plug-in, it was built for
  // another version of this interface, or its function threw; then nothing is added.
  ORRERY_API Problems load(const std::string& file);
  // Returns the files that were loaded.
  const std::vector<std::string>& files() const { return files_; }
  // Returns the file whose plug-in added a part of this registry; empty where the program itself did.
  std::string file_of(const std::shared_ptr<const void>& part) const {
    const auto found = origins_.find(part);
    return found == origins_.end() ? "" : found->second;
  }
  // Returns a row for each part, as `orrery list plug-ins` does: its kind, its name, what a user writes to
  // ask for it and where, and its file. The table is "plug-ins".
  ORRERY_API Table parts() const;

 private:
  Named<NetworkBuilder> networks_;
  Named<CollectiveAlgorithm> algorithms_;
  Named<Routing> routings_;
  Named<CongestionControl> congestion_controls_;
  Named<ComputeModel> compute_models_;
  Named<Exporter> exporters_;
  Named<experimental::NetworkModel> network_models_;
  std::vector<std::string> files_;
  std::map<std::shared_ptr<const void>, std::string> origins_;  // files of parts
};

}  // namespace orrery

// The version of all that plug-ins see. A plug-in carries it, so that one that was built with other headers
// is refused instead of misunderstood.
extern "C" {
[[gnu::used, gnu::visibility("default")]] inline const int orrery_plugin_interface = 2;

// What a plug-in has to define.
ORRERY_API void orrery_plugin(orrery::Registry& registry);
}
