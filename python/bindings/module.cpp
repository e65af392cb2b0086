// The extension module orrery._core: the classes of the C++ library, as thin as they can be. What users call
// is written in Python around it (python/orrery).
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "documents.hpp"
#include "orrery/arrow.hpp"
#include "orrery/experiment.hpp"
#include "orrery/program.hpp"
#include "orrery/version.hpp"
#include "problems.hpp"
#include "simulation.hpp"
#include "studies.hpp"
#include "sweeps.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace orrery::python {

namespace {

std::string_view word_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::input:
      return "input";
    case ProblemKind::stall:
      return "stall";
    case ProblemKind::stopped:
      return "stopped";
    case ProblemKind::internal:
      break;
  }
  return "internal";
}

std::string_view word_of(ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::integer:
      return "integer";
    case ColumnType::real:
      return "real";
    case ColumnType::text:
      break;
  }
  return "text";
}

void bind_problems(nb::module_& module) {
  nb::class_<Problem>(module, "Problem")
      .def_prop_ro("kind", [](const Problem& problem) { return word_of(problem.kind); })
      .def_ro("place", &Problem::place)
      .def_ro("message", &Problem::message)
      .def_ro("hint", &Problem::hint)
      .def_ro("run", &Problem::run)
      .def("__str__", &Problem::text);
  module.def("set_make_error", &set_make_error);
}

nb::capsule stream_of(const Table& table) {
  constexpr const char* name = "arrow_array_stream";
  auto* const stream = new ArrowArrayStream{};
  table.export_arrow(stream);
  return {stream, name, [](void* of) noexcept {
            auto* const owned = static_cast<ArrowArrayStream*>(of);
            if (owned->release) owned->release(owned);
            delete owned;
          }};
}

nb::object cell_of(const Table& table, std::size_t row, const ColumnInfo& column) {
  if (table.is_missing(row, column.name)) return nb::none();
  switch (column.type) {
    case ColumnType::boolean:
      return nb::cast(*table.boolean(row, column.name));
    case ColumnType::integer:
      return nb::cast(*table.integer(row, column.name));
    case ColumnType::real:
      return nb::cast(*table.real(row, column.name));
    case ColumnType::text:
      break;
  }
  return nb::cast(*table.text(row, column.name));
}

nb::list column_of(const Table& table, const std::string& name) {
  for (const ColumnInfo& column : table.columns()) {
    if (column.name != name) continue;
    nb::list values;
    for (std::size_t row = 0; row < table.rows(); ++row) values.append(cell_of(table, row, column));
    return values;
  }
  throw nb::key_error(name.c_str());
}

void bind_tables(nb::module_& module) {
  nb::class_<ColumnInfo>(module, "Column")
      .def_ro("name", &ColumnInfo::name)
      .def_ro("unit", &ColumnInfo::unit)
      .def_ro("meaning", &ColumnInfo::meaning)
      .def_prop_ro("type", [](const ColumnInfo& column) { return word_of(column.type); });
  nb::class_<Table>(module, "Table")
      .def_prop_ro("name", &Table::name)
      .def_prop_ro("columns", &Table::columns)
      .def("__len__", &Table::rows)
      .def("column", &column_of)
      .def("stream", &stream_of);
}

nb::tuple breakdown_of(const Run& run) {
  const TimeBreakdown of = run.breakdown();
  return nb::make_tuple(of.compute.seconds(), of.bubble.seconds(), of.exposed.seconds(), of.idle.seconds(),
                        of.host.seconds(), of.remote_memory.seconds(), of.update.seconds(),
                        of.contention.seconds());
}

void bind_runs(nb::module_& module) {
  nb::class_<Run>(module, "Run")
      .def_static("load",
                  [](const std::string& folder) { return without_gil([&] { return Run::load(folder); }); })
      .def_prop_ro("name", &Run::name)
      .def_prop_ro("problem", &Run::problem)
      .def_prop_ro("warnings", &Run::warnings)
      .def_prop_ro("time", [](const Run& run) { return run.time().seconds(); })
      .def_prop_ro("step", [](const Run& run) { return run.step().seconds(); })
      .def_prop_ro("step_interval",
                   [](const Run& run) -> std::optional<std::tuple<double, double, double>> {
                     const auto interval = run.step_interval();
                     if (!interval) return std::nullopt;
                     return std::tuple(interval->low.seconds(), interval->high.seconds(), interval->share);
                   })
      .def("breakdown", &breakdown_of)
      .def_prop_ro("npus", &Run::npus)
      .def_prop_ro("iterations", &Run::iterations)
      .def_prop_ro("messages", &Run::messages)
      .def_prop_ro("model_flop_utilization", &Run::model_flop_utilization)
      .def_prop_ro("hardware_flop_utilization", &Run::hardware_flop_utilization)
      .def_prop_ro("tokens_per_second", &Run::tokens_per_second)
      .def_prop_ro("memory", &Run::memory)
      .def_prop_ro("network_cost", &Run::network_cost)
      .def("tables", &Run::tables)
      .def("table", [](const Run& run, std::string_view name) { return value_of(run.table(name)); })
      .def("json", &Run::json)
      .def("report", &Run::report)
      .def("write_timeline",
           [](const Run& run, const std::string& file) { value_of(run.write_timeline(file)); });
  nb::class_<Runs>(module, "Runs")
      .def_static("load",
                  [](const std::string& folder) { return without_gil([&] { return Runs::load(folder); }); })
      .def("runs", &Runs::runs)
      .def_prop_ro("problems", &Runs::problems)
      .def("table", [](const Runs& runs, std::string_view name) { return value_of(runs.table(name)); })
      .def("save", [](const Runs& runs, const std::string& folder) { return value_of(runs.save(folder)); })
      .def("write_report",
           [](const Runs& runs, const std::string& file) { value_of(runs.write_report(file)); });
}

Experiment read_document(const Document& read, std::vector<std::string> overrides, std::string network_model,
                         std::string folder, bool allow_out_of_memory, const Registry& registry) {
  const ReadOptions options{std::move(overrides), std::move(network_model), std::move(folder),
                            allow_out_of_memory, registry};
  return without_gil([&] { return Experiment::from(read, options); });
}

Document parse(std::string_view text, const std::string& file) {
  return value_of(Document::parse(text, file));
}

// Returns a copy in which these keys have other values.
Document with_keys(const Document& document, const nb::dict& keys) {
  const Document values = document_of(keys);
  Document changed = document;
  for (const auto& [key, value] : values.map()) changed[key] = value;
  return changed;
}

Experiment read_file(const std::string& file, std::vector<std::string> overrides, std::string network_model,
                     bool allow_out_of_memory, const Registry& registry) {
  const ReadOptions options{
      std::move(overrides), std::move(network_model), {}, allow_out_of_memory, registry};
  return without_gil([&] { return Experiment::load(file, options); });
}

Runs simulate_with(const Experiment& experiment, int threads, std::string_view keep, bool fold,
                   std::string output, nb::object progress) {
  RunOptions options;
  options.threads = threads;
  options.keep = keep == "everything"  ? Keep::everything
                 : keep == "summaries" ? Keep::summaries
                                       : Keep::as_written;
  options.fold = fold;
  options.output = std::move(output);
  return simulate(experiment, std::move(options), std::move(progress));
}

void bind_documents(nb::module_& module) {
  nb::class_<Document>(module, "Document")
      .def(
          "__init__", [](Document* made, nb::handle value) { new (made) Document(document_of(value)); },
          "value"_a.none())
      .def_static("of_names", &document_of_names, "value"_a.none())
      .def("with_keys", &with_keys)
      .def("keys",
           [](const Document& document) {
             std::vector<std::string> keys;
             if (document.kind() != Document::Kind::map) return keys;
             for (const auto& [key, value] : document.map()) keys.push_back(key);
             return keys;
           })
      .def("to_object", &object_of);
}

template <class Part>
std::vector<std::string> names_of(const Registry::Named<Part>& parts) {
  std::vector<std::string> names;
  for (const auto& [name, part] : parts) names.push_back(name);
  return names;
}

void bind_registries(nb::module_& module) {
  nb::class_<Registry>(module, "Registry")
      .def(nb::init<>())
      .def("load",
           [](Registry& registry, const std::string& file) {
             if (const Problems problems = registry.load(file); !problems.empty()) raise(problems);
           })
      .def_prop_ro("files", &Registry::files)
      .def("parts", &Registry::parts)
      .def_prop_ro("names", [](const Registry& registry) {
        nb::dict names;
        names["networks"] = names_of(registry.networks());
        names["routings"] = names_of(registry.routings());
        names["congestion_controls"] = names_of(registry.congestion_controls());
        names["algorithms"] = names_of(registry.algorithms());
        names["compute_models"] = names_of(registry.compute_models());
        names["exporters"] = names_of(registry.exporters());
        names["network_models"] = names_of(registry.network_models());
        return names;
      });
}

void bind_experiments(nb::module_& module) {
  nb::class_<Experiment>(module, "Experiment")
      .def_static("read", &read_document)
      .def_static("load", &read_file)
      .def_prop_ro("name", &Experiment::name)
      .def_prop_ro("runs", &Experiment::runs)
      .def_prop_ro("warnings", &Experiment::warnings)
      .def("check", &Experiment::check, nb::call_guard<nb::gil_scoped_release>())
      .def("simulate", &simulate_with, "threads"_a, "keep"_a, "fold"_a, "output"_a, "progress"_a.none());
}

int run_program(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> pointers;
  for (std::string& word : copies) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return orrery::run_program(static_cast<int>(words.size()), pointers.data());
}

}  // namespace
}  // namespace orrery::python

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // a notebook that ends keeps its objects
  using namespace orrery::python;
  module.attr("version") = nb::str(orrery::version().data(), orrery::version().size());
  bind_problems(module);
  bind_tables(module);
  bind_runs(module);
  bind_documents(module);
  bind_registries(module);
  bind_experiments(module);
  bind_studies(module);
  bind_sweeps(module);
  module.def("parse", &parse);
  module.def("run_program", &run_program, nb::call_guard<nb::gil_scoped_release>());
}
