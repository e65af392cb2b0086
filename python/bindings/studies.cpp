#include "studies.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <type_traits>

#include "orrery/calculators.hpp"
#include "orrery/calibration.hpp"
#include "orrery/comparison.hpp"
#include "orrery/explanation.hpp"
#include "orrery/flows.hpp"
#include "orrery/machine.hpp"
#include "orrery/network.hpp"
#include "orrery/search.hpp"
#include "orrery/sensitivity.hpp"
#include "orrery/workload.hpp"
#include "problems.hpp"
#include "simulation.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace orrery::python {

namespace {

// Calls a study, which takes its options, while other threads of Python run and Ctrl-C stops it.
template <class Study>
auto carried_out(int threads, nb::object progress, const Study& study) {
  std::optional<decltype(study(StudyOptions{}))> found;
  carry_out_study(threads, std::move(progress),
                  [&](const StudyOptions& options) { found.emplace(study(options)); });
  return value_of(*std::move(found));
}

void bind_findings(nb::module_& module) {
  nb::class_<Findings>(module, "Findings")
      .def("tables", &Findings::tables)
      .def("table",
           [](const Findings& findings, std::string_view name) { return value_of(findings.table(name)); })
      .def("json", &Findings::json)
      .def("text", &Findings::text)
      .def_prop_ro("warnings", &Findings::warnings);
  nb::class_<Profile>(module, "Profile")
      .def_static("load",
                  [](const std::vector<std::string>& files) {
                    return without_gil([&] { return Profile::load(files); });
                  })
      .def_prop_ro("ranks", &Profile::ranks)
      .def_prop_ro("warnings", &Profile::warnings);
}

template <class Subject>
Findings sensitivity(const Subject& of, std::string run, double share, std::optional<double> target,
                     const Document& costs, std::string only, int threads, nb::object progress) {
  constexpr double ps_per_s = 1e12, longest = 4e6;  // seconds, of which a Time can hold sums
  SensitivityOptions options{std::move(run), share, {}, costs, std::move(only), {}};
  if (target) options.target = Time::picoseconds(std::llround(std::min(*target, longest) * ps_per_s));
  return carried_out(threads, std::move(progress), [&](const StudyOptions& how) {
    options.how = how;
    return find_sensitivity(of, options);
  });
}

Findings search(const Experiment& experiment, std::optional<std::int64_t> gpus, bool fewer_gpus,
                std::vector<std::string> keep, std::string objective, std::int64_t top,
                std::int64_t network_runs, bool exhaustive, int threads, nb::object progress) {
  SearchOptions options{gpus, fewer_gpus,   std::move(keep), std::move(objective),
                        top,  network_runs, exhaustive,      {}};
  return carried_out(threads, std::move(progress), [&](const StudyOptions& how) {
    options.how = how;
    return search_layouts(experiment, options);
  });
}

// Begins a search over the sweep of a document, or of a file.
template <class Source>
SweepSearch begin_search(Source source, std::vector<std::string> overrides, std::string network_model,
                         std::string folder, const Registry& registry, std::vector<std::string> keep,
                         std::string objective, std::int64_t top, std::int64_t network_runs, bool exhaustive,
                         int threads, nb::object progress) {
  const ReadOptions read{std::move(overrides), std::move(network_model), std::move(folder), false, registry};
  SearchOptions options{{}, false, std::move(keep), std::move(objective), top, network_runs, exhaustive, {}};
  return carried_out(threads, std::move(progress), [&](const StudyOptions& how) {
    options.how = how;
    if constexpr (std::is_same_v<Source, const Document&>)
      return SweepSearch::from(source, read, options);
    else
      return SweepSearch::load(source, read, options);
  });
}

Findings calibrated(const std::vector<std::string>& from, std::string platform, std::string kind,
                    std::string experiment, std::string run, std::vector<std::string> overrides,
                    std::string output, const Registry& registry, int threads, nb::object progress) {
  CalibrationOptions options{std::move(platform),
                             std::move(kind),
                             std::move(experiment),
                             std::move(run),
                             std::move(overrides),
                             std::move(output),
                             registry,
                             {}};
  return carried_out(threads, std::move(progress), [&](const StudyOptions& how) {
    options.how = how;
    return calibrate(from, options);
  });
}

Findings flows(const Network& network, const Document& list, std::string network_model, const Document& keys,
               bool history, nb::object progress) {
  FlowOptions options{std::move(network_model), keys, history, {}};
  return carried_out(1, std::move(progress), [&](const StudyOptions& how) {
    options.how = how;
    return simulate_flows(network, list, options);
  });
}

void bind_verbs(nb::module_& module) {
  module.def(
      "explain",
      [](const Run& run, nb::object progress) {
        return carried_out(1, std::move(progress),
                           [&](const StudyOptions& how) { return explain(run, how); });
      },
      "run"_a, "progress"_a.none());
  module.def("sensitivity", &sensitivity<Experiment>, "of"_a, "run"_a, "share"_a, "target"_a.none(),
             "costs"_a, "only"_a, "threads"_a, "progress"_a.none());
  module.def("sensitivity", &sensitivity<Run>, "of"_a, "run"_a, "share"_a, "target"_a.none(), "costs"_a,
             "only"_a, "threads"_a, "progress"_a.none());
  module.def("compare", [](const Run& before, const Run& after) {
    return without_gil([&] { return compare(before, after); });
  });
  module.def(
      "compare_measured",
      [](const Run& run, const Profile& profile, std::optional<std::int64_t> step, nb::object progress) {
        return carried_out(1, std::move(progress),
                           [&](const StudyOptions& how) { return compare(run, profile, step, how); });
      },
      "run"_a, "profile"_a, "step"_a.none(), "progress"_a.none());
  module.def("search", &search, "experiment"_a, "gpus"_a.none(), "fewer_gpus"_a, "keep"_a, "objective"_a,
             "top"_a, "network_runs"_a, "exhaustive"_a, "threads"_a, "progress"_a.none());
  nb::class_<SweepSearch>(module, "SweepSearch")
      .def_static("read", &begin_search<const Document&>, "document"_a, "overrides"_a, "network_model"_a,
                  "folder"_a, "registry"_a, "keep"_a, "objective"_a, "top"_a, "network_runs"_a,
                  "exhaustive"_a, "threads"_a, "progress"_a.none())
      .def_static("load", &begin_search<const std::string&>, "file"_a, "overrides"_a, "network_model"_a,
                  "folder"_a, "registry"_a, "keep"_a, "objective"_a, "top"_a, "network_runs"_a,
                  "exhaustive"_a, "threads"_a, "progress"_a.none())
      .def("next", [](SweepSearch& search) { return without_gil([&] { return search.next(); }); })
      .def("tell", &SweepSearch::tell, "steps"_a)
      .def("all", &SweepSearch::all)
      .def("findings", &SweepSearch::findings);
  module.def("calibrate", &calibrated, "files"_a, "platform"_a, "kind"_a, "experiment"_a, "run"_a,
             "overrides"_a, "output"_a, "registry"_a, "threads"_a, "progress"_a.none());
  module.def("flows", &flows, "network"_a, "flows"_a, "network_model"_a, "keys"_a, "history"_a,
             "progress"_a.none());
}

void bind_networks(nb::module_& module) {
  nb::class_<Network>(module, "Network")
      .def_static("read",
                  [](const Document& document, const Registry& registry) {
                    return without_gil([&] { return Network::from(document, registry); });
                  })
      .def_prop_ro("document", &Network::document)
      .def_prop_ro("warnings", &Network::warnings)
      .def_prop_ro("npus", &Network::npus)
      .def("describe", [](const Network& of) { return without_gil([&] { return of.describe(); }); })
      .def("nodes", [](const Network& of) { return without_gil([&] { return of.nodes(); }); })
      .def("links", [](const Network& of) { return without_gil([&] { return of.links(); }); })
      .def("svg", [](const Network& of) { return without_gil([&] { return of.svg(); }); })
      .def("dot", [](const Network& of) { return without_gil([&] { return of.dot(); }); });
}

Findings collective(std::string kind, std::string size, std::int64_t members, std::int64_t per_node,
                    const Document& platform, std::string library, std::string inside, std::string between,
                    std::int64_t gpus_per_node, std::int64_t nics_per_node, std::string algorithm,
                    std::string timed, std::string buffers, std::string caller, double interval) {
  const CollectiveQuestion question{std::move(kind),
                                    std::move(size),
                                    members,
                                    per_node,
                                    platform,
                                    std::move(library),
                                    std::move(inside),
                                    std::move(between),
                                    gpus_per_node,
                                    nics_per_node,
                                    std::move(algorithm),
                                    std::move(timed),
                                    std::move(buffers),
                                    std::move(caller),
                                    interval};
  return without_gil([&] { return cost_collective(question); });
}

Findings products(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch, std::string device,
                  std::string datatype, double weight_sparsity, double activation_sparsity,
                  std::string sparsity_pattern, std::string shapes, std::string table) {
  const ProductQuestion question{m,
                                 n,
                                 k,
                                 batch,
                                 std::move(device),
                                 std::move(datatype),
                                 weight_sparsity,
                                 activation_sparsity,
                                 std::move(sparsity_pattern),
                                 std::move(shapes),
                                 std::move(table)};
  return without_gil([&] { return cost_products(question); });
}

void bind_catalogue(nb::module_& module) {
  module.def("devices", &devices);
  module.def("platforms", &platforms);
  module.def("stacks", &stacks);
  module.def("host_stacks", &host_stacks);
  module.def("models", &models);
  module.def("transformers", &transformers);
  module.def("describe_transformer", [](const std::string& name_or_file) {
    return without_gil([&] { return describe_transformer(name_or_file); });
  });
}

}  // namespace

void bind_studies(nb::module_& module) {
  bind_findings(module);
  bind_networks(module);
  bind_verbs(module);
  bind_catalogue(module);
  module.def("collective", &collective);
  module.def("products", &products);
}

}  // namespace orrery::python
