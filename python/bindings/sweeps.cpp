#include "sweeps.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "orrery/sweep.hpp"
#include "problems.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace orrery::python {

namespace {

Sweep read_sweep(const Document& read, std::vector<std::string> overrides, std::string network_model,
                 std::string folder, bool allow_out_of_memory, const Registry& registry) {
  const ReadOptions options{std::move(overrides), std::move(network_model), std::move(folder),
                            allow_out_of_memory, registry};
  return without_gil([&] { return Sweep::from(read, options); });
}

Sweep load_sweep(const std::string& file, std::vector<std::string> overrides, std::string network_model,
                 bool allow_out_of_memory, const Registry& registry) {
  const ReadOptions options{
      std::move(overrides), std::move(network_model), {}, allow_out_of_memory, registry};
  return without_gil([&] { return Sweep::load(file, options); });
}

SweepStore open_store(const Sweep& sweep, const std::string& file, std::string only,
                      std::optional<std::size_t> limit, bool reuse_any_version, bool retry_failed) {
  SweepOptions options{std::move(only), limit, reuse_any_version, retry_failed, true, {}};
  return without_gil([&] { return SweepStore::open(sweep, file, options); });
}

}  // namespace

void bind_sweeps(nb::module_& module) {
  nb::class_<Sweep>(module, "Sweep")
      .def_static("read", &read_sweep)
      .def_static("load", &load_sweep)
      .def_prop_ro("name", &Sweep::name)
      .def_prop_ro("keys", &Sweep::keys)
      .def_prop_ro("warnings", &Sweep::warnings)
      .def("__len__", &Sweep::size)
      .def("run", &Sweep::run)
      .def("simulate_part", [](const Sweep& sweep, const std::vector<std::size_t>& runs, bool fold) {
        SweepOptions options;
        options.fold = fold;
        return without_gil([&] { return sweep.simulate_part(runs, options); });
      });
  nb::class_<SweepStore>(module, "SweepStore")
      .def_static("open", &open_store)
      .def("missing", [](SweepStore& store) { return without_gil([&] { return store.missing(); }); })
      .def("add", [](SweepStore& store, const std::string& part) {
        return without_gil([&] { return store.add(part); });
      });
  nb::class_<Study>(module, "Study")
      .def_static("load",
                  [](const std::string& store) { return without_gil([&] { return Study::load(store); }); })
      .def_prop_ro("name", &Study::name)
      .def(
          "table",
          [](const Study& study, const std::string& where, const std::string& sort,
             std::optional<std::size_t> limit) {
            return without_gil([&] { return study.table(where, sort, limit); });
          },
          "where"_a, "sort"_a, "limit"_a.none())
      .def("write_report", [](const Study& study, const std::string& file) {
        without_gil([&] { return study.write_report(file); });
      });
}

}  // namespace orrery::python
