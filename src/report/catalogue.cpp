#include "report/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "base/units/seconds.hpp"
#include "compute/device_file.hpp"
#include "network/host/host_stack.hpp"
#include "network/host/host_stack_file.hpp"
#include "report/backend_list.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/training/platform.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"
#include "workload/transformer/model_flops.hpp"

namespace orrery::core {

namespace {

struct ListedPlatform {
  std::string word;  // what users call it: "dgx-a100"
  Platform platform;
};
struct ListedStack {
  std::string word;  // what users call it: "megatron-core"
  SoftwareStack stack;
};
struct ListedHostStack {
  std::string word;  // what users call it: "kernel-tcp"
  HostStack stack;
};

double gb_per_s(Bandwidth bandwidth) {
  return bandwidth.bytes_per_ns();
}

// Returns the peak of 16-bit products, which everybody quotes; where there is none, that of fp32.
std::string usual_peak(const Device& device) {
  Datatype shown = Datatype::fp16;
  for (const Datatype type : {Datatype::fp16, Datatype::bf16, Datatype::fp32})
    if (device.product_peak(shown) == 0) shown = type;
  return fmt::format("{:.1f} {}", device.product_peak(shown) * 1e-12, word_of(datatype_words, shown));
}

nlohmann::ordered_json peaks_to_json(const Peaks& peaks) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [word, type] : datatype_words)
    if (peaks[type] > 0) json[std::string(word)] = peaks[type] * 1e-12;
  return json;
}

int nics(const ClusterLinks& links) {
  return links.nics_per_node > 0 ? links.nics_per_node : links.gpus_per_node;
}

const ClusterLinks& links_of(const ListedPlatform& listed) {
  return listed.platform.library->links();
}

constexpr Column<ListedDevice> device_columns[] = {
    {"device", "", "Word for the device that `--device` takes.", [](auto& row) { return row.name; },
     "device"},
    {"name", "", "Full name.", [](auto& row) { return row.device.name; }, "name"},
    {"", "", "", [](auto& row) { return usual_peak(row.device); }, "TFLOP/s"},
    {"memory_bytes", "bytes", "Size of the main memory.", [](auto& row) { return row.device.memory_size; },
     "memory"},
    {"memory_gb_per_s", "GB/s", "Bandwidth of the main memory.",
     [](auto& row) { return gb_per_s(row.device.memory_bandwidth); }, "GB/s"},
    {"cache_bytes", "bytes", "Size of the last level of cache.",
     [](auto& row) { return row.device.cache_size; }},
    {"processors", "", "Number of streaming multiprocessors, compute units or matrix engines.",
     [](auto& row) { return row.device.processors; }},
    {"clock_mhz", "MHz", "Clock rate of these processors.",
     [](auto& row) { return row.device.clock_hz * 1e-6; }},
    {"link_gb_per_s", "GB/s", "Bandwidth of all links together, in both directions.",
     [](auto& row) { return gb_per_s(row.device.link_bandwidth); }, "links"},
    {"launch_us", "us",
     "Time to launch an operator. This value and those that follow are constants of the model.",
     [](auto& row) { return Seconds(row.device.roofline.launch_seconds).rounded(); }},
    {"matrix_efficiency", "share", "Share of the peak that matrix products reach in their inner loop.",
     [](auto& row) { return row.device.roofline.matrix_efficiency; }},
    {"memory_efficiency", "share", "Share of the memory's bandwidth that operators reach.",
     [](auto& row) { return row.device.roofline.memory_efficiency; }},
    {"load_gb_per_s", "GB/s", "Bandwidth from the cache into a processor.",
     [](auto& row) { return row.device.roofline.load_bandwidth * 1e-9; }},
    {"tile_us", "us", "Time to begin and to end a tile.",
     [](auto& row) { return Seconds(row.device.roofline.tile_seconds).rounded(); }},
    {"exposed_share", "share",
     "Share of the shorter of two overlapping tasks that the longer one does not hide.",
     [](auto& row) { return row.device.roofline.exposed_share; }},
    {"systolic_rows", "",
     "Rows of cells in a systolic array. It is given only for devices that are made of such arrays.",
     [](auto& row) { return row.device.systolic ? std::optional(row.device.systolic->rows) : std::nullopt; }},
    {"systolic_columns", "", "Columns of cells in a systolic array, for the same devices.",
     [](auto& row) {
       return row.device.systolic ? std::optional(row.device.systolic->columns) : std::nullopt;
     }},
    {"systolic_arrays", "", "Number of systolic arrays on the device.",
     [](auto& row) {
       return row.device.systolic ? std::optional(row.device.systolic->count) : std::nullopt;
     }},
};

// A device has no such value where it has no such peak.
template <Peaks Device::*peaks, Datatype type>
constexpr Column<ListedDevice> peak(std::string_view name, std::string_view meaning) {
  return {name,
          "TFLOP/s",
          meaning,
          [](auto& row) {
            const double found = (row.device.*peaks)[type];
            return found > 0 ? std::optional(found * 1e-12) : std::nullopt;
          },
          {},
          Form::csv};
}

constexpr Column<ListedDevice> device_detail_columns[] = {
    peak<&Device::matrix_peak, Datatype::fp64>("matrix_fp64_tflops", "Peak of its matrix units in fp64."),
    peak<&Device::matrix_peak, Datatype::fp32>("matrix_fp32_tflops", "Peak of its matrix units in fp32."),
    peak<&Device::matrix_peak, Datatype::tf32>("matrix_tf32_tflops", "Peak of its matrix units in tf32."),
    peak<&Device::matrix_peak, Datatype::fp16>("matrix_fp16_tflops", "Peak of its matrix units in fp16."),
    peak<&Device::matrix_peak, Datatype::bf16>("matrix_bf16_tflops", "Peak of its matrix units in bf16."),
    peak<&Device::matrix_peak, Datatype::fp8>("matrix_fp8_tflops", "Peak of its matrix units in fp8."),
    peak<&Device::matrix_peak, Datatype::int8>("matrix_int8_tflops", "Peak of its matrix units in int8."),
    peak<&Device::matrix_peak, Datatype::fp4>("matrix_fp4_tflops", "Peak of its matrix units in fp4."),
    peak<&Device::vector_peak, Datatype::fp64>("vector_fp64_tflops", "Peak of its vector units in fp64."),
    peak<&Device::vector_peak, Datatype::fp32>("vector_fp32_tflops", "Peak of its vector units in fp32."),
    peak<&Device::vector_peak, Datatype::tf32>("vector_tf32_tflops", "Peak of its vector units in tf32."),
    peak<&Device::vector_peak, Datatype::fp16>("vector_fp16_tflops", "Peak of its vector units in fp16."),
    peak<&Device::vector_peak, Datatype::bf16>("vector_bf16_tflops", "Peak of its vector units in bf16."),
    peak<&Device::vector_peak, Datatype::fp8>("vector_fp8_tflops", "Peak of its vector units in fp8."),
    peak<&Device::vector_peak, Datatype::int8>("vector_int8_tflops", "Peak of its vector units in int8."),
    peak<&Device::vector_peak, Datatype::fp4>("vector_fp4_tflops", "Peak of its vector units in fp4."),
    {"sources",
     "",
     "Sources of the numbers, divided by semicolons.",
     [](auto& row) { return fmt::format("{}", fmt::join(row.device.sources, "; ")); },
     {},
     Form::csv},
};
static_assert(std::size(device_detail_columns) == 2 * datatype_words.size() + 1,
              "every datatype has its peaks");

constexpr Column<ModelSummary> model_columns[] = {
    {"model", "", "Word for the model that the key `workload.model` takes.",
     [](auto& row) { return row.word; }, "model"},
    {"name", "", "Full name.", [](auto& row) { return row.name; }},
    {"layers", "", "Number of layers with weights.", [](auto& row) { return row.layers; }, "layers"},
    {"parameters", "", "Number of all its parameters.", [](auto& row) { return row.parameters; },
     "parameters"},
    {"flops_per_sample", "FLOP",
     "Operations in the products of a forward pass for one sample. Each multiply-accumulate counts as two.",
     [](auto& row) { return row.flops_per_sample; }, "FLOP/sample"},
    {"description", "", "Description of the layers that it is made of.",
     [](auto& row) { return row.description; }, "what"},
};

constexpr Column<ListedTransformer> transformer_columns[] = {
    {"transformer", "", "Word for the transformer that the key `workload.model` takes.",
     [](auto& row) { return row.word; }, "transformer"},
    {"name", "", "Full name.", [](auto& row) { return row.model.name; }},
    {"source", "", "Source from which its sizes are taken.", [](auto& row) { return row.model.source; }},
    {"layers", "", "Number of its layers.", [](auto& row) { return row.model.layers; }, "layers"},
    {"hidden", "", "Numbers that represent a token (hidden size).",
     [](auto& row) { return row.model.hidden; }, "hidden"},
    {"heads", "", "Number of query heads.", [](auto& row) { return row.model.heads; }, "heads"},
    {"sequence", "", "Number of tokens in a sequence.", [](auto& row) { return row.model.sequence; },
     "tokens"},
    {"parameters", "", "Number of all its parameters.",
     [](auto& row) { return transformer_parameters(row.model).total(); }, "parameters"},
    {"active_parameters", "",
     "Number of parameters that a token passes. Of the experts only the chosen ones count.",
     [](auto& row) { return transformer_parameters(row.model).active; }, "active"},
    {"flops_per_sequence", "FLOP",
     "Operations in the products of a forward pass for one sequence, with unmasked attention scores.",
     [](auto& row) { return model_flops(row.model).forward(); }, "FLOP"},
};

constexpr Column<ListedPlatform> platform_columns[] = {
    {"platform", "", "Word for the platform that the key `platform` takes.",
     [](auto& row) { return row.word; }, "platform"},
    {"source", "", "Source from which the numbers are taken.", [](auto& row) { return row.platform.source; }},
    {"device", "", "Accelerator of the platform.", [](auto& row) { return row.platform.device.facts.name; },
     "device"},
    {"gpus_per_node", "", "Number of accelerators in a node.",
     [](auto& row) { return links_of(row).gpus_per_node; }, "GPUs"},
    {"inside", "", "Class of the links inside a node.", [](auto& row) { return links_of(row).inside.text(); },
     "inside"},
    {"nics_per_node", "", "Number of network cards in a node.", [](auto& row) { return nics(links_of(row)); },
     "NICs"},
    {"between", "", "Class of the links between nodes.",
     [](auto& row) { return links_of(row).between.text(); }, "between"},
    {"stack", "", "Name of the software.", [](auto& row) { return row.platform.stack.name; }, "software"},
};

constexpr Column<ListedStack> stack_columns[] = {
    {"stack", "", "Word for the software that the key `platform.stack` takes.",
     [](auto& row) { return row.word; }, "stack"},
    {"name", "", "Full name.", [](auto& row) { return row.stack.name; }},
    {"source", "", "Source from which the numbers are taken.", [](auto& row) { return row.stack.source; }},
    {"kernel_slowdown", "", "Factor on the time of products and attention.",
     [](auto& row) { return row.stack.kernel_slowdown; }, "kernels"},
    {"elementwise_slowdown", "", "Factor on the time of all other operators.",
     [](auto& row) { return row.stack.elementwise_slowdown; }, "others"},
    {"exchange_efficiency", "",
     "Efficiency of collectives within layers, compared with the collective library alone.",
     [](auto& row) { return row.stack.exchange_efficiency; }, "exchanges"},
    {"sharding_efficiency", "",
     "Efficiency of exchanges of gradients and weights, compared with the collective library alone.",
     [](auto& row) { return row.stack.sharding_efficiency; }, "sharding"},
    {"host_time_per_operator_us", "us", "Time that the host takes to launch an operator.",
     [](auto& row) { return row.stack.host_time_per_operator.us(); }, "launch"},
    {"host_time_per_exchange_us", "us", "Time that the host takes to launch a collective of a layer.",
     [](auto& row) { return row.stack.host_time_per_exchange.us(); }},
    {"time_per_pass_us", "us", "Time that is added to each pass of a micro-batch through a stage.",
     [](auto& row) { return row.stack.time_per_pass.us(); }},
    {"bucket_bytes", "B", "Size of the gradients that are reduced together.",
     [](auto& row) { return row.stack.bucket.count(); }},
    {"attention", "", "How attention is computed unless the workload says so.",
     [](auto& row) { return word_of(attention_words, row.stack.attention); }, "attention"},
};

constexpr Column<ListedHostStack> host_stack_columns[] = {
    {"host_stack", "", "Word for the host stack that the key `host-stack` takes.",
     [](auto& row) { return row.word; }, "host stack"},
    {"name", "", "Full name.", [](auto& row) { return row.stack.name; }},
    {"send_us", "us", "Time that a message takes on the host that sends it.",
     [](auto& row) { return row.stack.send.us(); }, "send"},
    {"receive_us", "us", "Time that a message takes on the host where it arrives.",
     [](auto& row) { return row.stack.receive.us(); }, "receive"},
    {"cores", "",
     "Number of cores of the host that carry the messages of one NPU. 0 means that hardware carries them.",
     [](auto& row) { return row.stack.cores; }, "cores"},
    {"copy_gb_per_s", "GB/s", "Rate at which a core copies messages. 0 means that it does not copy them.",
     [](auto& row) { return gb_per_s(row.stack.copying); }, "copy GB/s"},
    {"card_gb_per_s", "GB/s",
     "Rate at which the network card reads and writes memory. 0 means that it is as fast as the links.",
     [](auto& row) { return gb_per_s(row.stack.card); }, "card GB/s"},
    {"staging_gb_per_s", "GB/s",
     "Rate at which messages are copied between the NPU and host memory. 0 means that they are not copied.",
     [](auto& row) { return gb_per_s(row.stack.staging); }, "staging GB/s"},
    {"staging_us", "us", "Time that each such copy takes in addition.",
     [](auto& row) { return row.stack.staging_latency.us(); }, "staging latency"},
    {"state", "", "Component that keeps the state of connections.",
     [](auto& row) { return row.stack.state; }},
};

std::vector<ListedDevice> listed_devices() {
  std::vector<ListedDevice> list;
  for (const std::string_view word : device_names())
    list.push_back({std::string(word), find_device(std::string(word), {}, no_files())});
  return list;
}

std::vector<ListedTransformer> listed_transformers() {
  std::vector<ListedTransformer> list;
  for (const std::string_view word : transformer_words())
    list.push_back({std::string(word), find_transformer(std::string(word), {})});
  return list;
}

std::vector<ListedPlatform> listed_platforms() {
  std::vector<ListedPlatform> list;
  for (const std::string_view word : platform_words()) {
    InputNode name;
    name.kind = InputNode::Kind::scalar;
    name.text = word;
    list.push_back({std::string(word), read_platform(name, {}, no_files())});
  }
  return list;
}

std::vector<ListedStack> listed_stacks() {
  std::vector<ListedStack> list;
  for (const std::string_view word : stack_words()) list.push_back({std::string(word), stack_named(word)});
  return list;
}

std::vector<ListedHostStack> listed_host_stacks() {
  std::vector<ListedHostStack> list;
  for (const std::string_view word : host_stack_names())
    list.push_back({std::string(word), find_host_stack(std::string(word), {}, no_files())});
  return list;
}

nlohmann::ordered_json devices_to_json() {
  const std::vector<ListedDevice> devices = listed_devices();
  auto list = json_of<nlohmann::ordered_json>(device_table, devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    list[i]["matrix_peak_tflops"] = peaks_to_json(devices[i].device.matrix_peak);
    list[i]["vector_peak_tflops"] = peaks_to_json(devices[i].device.vector_peak);
    list[i]["sources"] = devices[i].device.sources;
  }
  return list;
}

TableRows rows_of_devices() {
  std::vector<Column<ListedDevice>> columns(std::begin(device_columns), std::end(device_columns));
  columns.insert(columns.end(), std::begin(device_detail_columns), std::end(device_detail_columns));
  return {std::move(columns), listed_devices()};
}

// The columns of a table and the function that returns its rows.
template <const auto& columns, auto listed>
struct Listing {
  using Row = typename decltype(listed())::value_type;

  static std::string text() { return text_of(Table<Row>(columns), listed()); }
  static nlohmann::ordered_json json() {
    return json_of<nlohmann::ordered_json>(Table<Row>(columns), listed());
  }
  static TableRows rows() { return {Table<Row>(columns), listed()}; }
};

template <class Listing>
constexpr CatalogueTable listed_by(std::string_view name, std::string_view list) {
  return {name, list, Listing::text, Listing::json, Listing::rows};
}

nlohmann::ordered_json backends_to_json() {
  return json_of<nlohmann::ordered_json>(backend_operation_table, listed_operations());
}

TableRows rows_of_backends() {
  return {backend_operation_table, listed_operations()};
}

constexpr CatalogueTable listed_tables[] = {
    {"backends", "backends", backend_list_text, backends_to_json, rows_of_backends},
    {"devices", "devices", Listing<device_columns, listed_devices>::text, devices_to_json, rows_of_devices},
    listed_by<Listing<host_stack_columns, listed_host_stacks>>("host-stacks", "host-stacks"),
    listed_by<Listing<model_columns, model_summaries>>("models", "models"),
    listed_by<Listing<transformer_columns, listed_transformers>>("transformers", "models"),
    listed_by<Listing<platform_columns, listed_platforms>>("platforms", "platforms"),
    listed_by<Listing<stack_columns, listed_stacks>>("stacks", "stacks"),
};

}  // namespace

const Table<ListedDevice> device_table(device_columns);
const Table<ListedTransformer> transformer_table(transformer_columns);

std::string CatalogueTable::key() const {
  std::string key(name);
  std::ranges::replace(key, '-', '_');
  return key;
}

std::span<const CatalogueTable> catalogue_tables() {
  return listed_tables;
}

NamedRows catalogue_rows(std::string_view name) {
  return {std::string(name) + ".csv", std::ranges::find(listed_tables, name, &CatalogueTable::name)->rows()};
}

nlohmann::ordered_json transformer_list_to_json(const std::vector<ListedTransformer>& transformers) {
  return {{"transformers", json_of<nlohmann::ordered_json>(transformer_table, transformers)}};
}

}  // namespace orrery::core
