#include "report/catalogue.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/seconds.hpp"
#include "base/words.hpp"
#include "compute/device_file.hpp"
#include "network/host/host_stack_file.hpp"
#include "workload/transformer/model_flops.hpp"
#include "workload/transformer/transformer_catalogue.hpp"

namespace orrery {

namespace {

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
  return listed.platform.library.links();
}

constexpr Column<ListedDevice> device_columns[] = {
    {"device", "", "Its word, for `--device`.", [](auto& row) { return row.name; }, "device"},
    {"name", "", "Its full name.", [](auto& row) { return row.device.name; }, "name"},
    {"", "", "", [](auto& row) { return usual_peak(row.device); }, "TFLOP/s"},
    {"memory_bytes", "bytes", "Main memory.", [](auto& row) { return row.device.memory_size; }, "memory"},
    {"memory_gb_per_s", "GB/s", "Bandwidth of the main memory.",
     [](auto& row) { return gb_per_s(row.device.memory_bandwidth); }, "GB/s"},
    {"cache_bytes", "bytes", "The last level of the cache.", [](auto& row) { return row.device.cache_size; }},
    {"processors", "", "Streaming multiprocessors, compute units or matrix engines.",
     [](auto& row) { return row.device.processors; }},
    {"clock_mhz", "MHz", "Their clock.", [](auto& row) { return row.device.clock_hz * 1e-6; }},
    {"link_gb_per_s", "GB/s", "All links, both directions.",
     [](auto& row) { return gb_per_s(row.device.link_bandwidth); }, "links"},
    {"launch_us", "us", "Time to launch an operator; this and what follows are constants of the model.",
     [](auto& row) { return Seconds(row.device.roofline.launch_seconds).rounded(); }},
    {"matrix_efficiency", "share", "What products reach of the peak.",
     [](auto& row) { return row.device.roofline.matrix_efficiency; }},
    {"memory_efficiency", "share", "What operators reach of the memory's bandwidth.",
     [](auto& row) { return row.device.roofline.memory_efficiency; }},
    {"load_gb_per_s", "GB/s", "Bandwidth from the cache into a processor.",
     [](auto& row) { return row.device.roofline.load_bandwidth * 1e-9; }},
    {"tile_us", "us", "Time to begin and to end a tile.",
     [](auto& row) { return Seconds(row.device.roofline.tile_seconds).rounded(); }},
    {"exposed_share", "share", "What of the shorter of two overlapping tasks is not hidden.",
     [](auto& row) { return row.device.roofline.exposed_share; }},
    {"systolic_rows", "", "Cells of a systolic array; only of devices made of these.",
     [](auto& row) { return row.device.systolic ? Cell(row.device.systolic->rows) : Cell(); }},
    {"systolic_columns", "", "Likewise.",
     [](auto& row) { return row.device.systolic ? Cell(row.device.systolic->columns) : Cell(); }},
    {"systolic_arrays", "", "How many arrays it has.",
     [](auto& row) { return row.device.systolic ? Cell(row.device.systolic->count) : Cell(); }},
};

constexpr Column<ModelSummary> model_columns[] = {
    {"model", "", "Its word, for the key `workload.model`.", [](auto& row) { return row.word; }, "model"},
    {"name", "", "Its full name.", [](auto& row) { return row.name; }},
    {"layers", "", "Layers with weights.", [](auto& row) { return row.layers; }, "layers"},
    {"parameters", "", "All its parameters.", [](auto& row) { return row.parameters; }, "parameters"},
    {"flops_per_sample", "FLOP", "Products of a forward pass, two per multiply-accumulate.",
     [](auto& row) { return row.flops_per_sample; }, "FLOP/sample"},
    {"description", "", "What it is made of.", [](auto& row) { return row.description; }, "what"},
};

constexpr Column<ListedTransformer> transformer_columns[] = {
    {"transformer", "", "Its word, for the key `workload.model`.", [](auto& row) { return row.word; },
     "transformer"},
    {"name", "", "Its full name.", [](auto& row) { return row.model.name; }},
    {"source", "", "Where its sizes are from.", [](auto& row) { return row.model.source; }},
    {"layers", "", "Its layers.", [](auto& row) { return row.model.layers; }, "layers"},
    {"hidden", "", "Numbers that stand for a token.", [](auto& row) { return row.model.hidden; }, "hidden"},
    {"heads", "", "Heads of queries.", [](auto& row) { return row.model.heads; }, "heads"},
    {"sequence", "", "Tokens of a sequence.", [](auto& row) { return row.model.sequence; }, "tokens"},
    {"parameters", "", "All its parameters.",
     [](auto& row) { return transformer_parameters(row.model).total(); }, "parameters"},
    {"active_parameters", "", "Those that a token passes: of the experts only the chosen ones.",
     [](auto& row) { return transformer_parameters(row.model).active; }, "active"},
    {"flops_per_sequence", "FLOP", "Products of a forward pass, scores unmasked.",
     [](auto& row) { return model_flops(row.model).forward(); }, "FLOP"},
};

constexpr Column<ListedPlatform> platform_columns[] = {
    {"platform", "", "Its word, for the key `platform`.", [](auto& row) { return row.word; }, "platform"},
    {"source", "", "Where the numbers are from.", [](auto& row) { return row.platform.source; }},
    {"device", "", "Its accelerator.", [](auto& row) { return row.platform.device.facts.name; }, "device"},
    {"gpus_per_node", "", "Accelerators of a node.", [](auto& row) { return links_of(row).gpus_per_node; },
     "GPUs"},
    {"inside", "", "Class of the links inside a node.", [](auto& row) { return links_of(row).inside.text(); },
     "inside"},
    {"nics_per_node", "", "Network cards of a node.", [](auto& row) { return nics(links_of(row)); }, "NICs"},
    {"between", "", "Class of the links between nodes.",
     [](auto& row) { return links_of(row).between.text(); }, "between"},
    {"stack", "", "The software's name.", [](auto& row) { return row.platform.stack.name; }, "software"},
};

constexpr Column<ListedHostStack> host_stack_columns[] = {
    {"host_stack", "", "Its word, for the key `host-stack`.", [](auto& row) { return row.word; },
     "host stack"},
    {"name", "", "Its full name.", [](auto& row) { return row.stack.name; }},
    {"send_us", "us", "That a message takes where it is sent.", [](auto& row) { return row.stack.send.us(); },
     "send"},
    {"receive_us", "us", "That it takes where it arrives.", [](auto& row) { return row.stack.receive.us(); },
     "receive"},
    {"cores", "", "Of the host that carry messages of one NPU; 0: hardware does.",
     [](auto& row) { return row.stack.cores; }, "cores"},
    {"copy_gb_per_s", "GB/s", "At which a core copies messages; 0: it does not.",
     [](auto& row) { return gb_per_s(row.stack.copying); }, "copy GB/s"},
    {"card_gb_per_s", "GB/s", "At which the network card reads and writes memory; 0: as fast as links are.",
     [](auto& row) { return gb_per_s(row.stack.card); }, "card GB/s"},
    {"staging_gb_per_s", "GB/s", "At which messages are copied between NPU and host memory; 0: they are not.",
     [](auto& row) { return gb_per_s(row.stack.staging); }, "staging GB/s"},
    {"staging_us", "us", "That such a copy takes besides.",
     [](auto& row) { return row.stack.staging_latency.us(); }, "staging latency"},
    {"state", "", "Who keeps the state of connections.", [](auto& row) { return row.stack.state; }},
};

}  // namespace

const Table<ListedDevice> device_table(device_columns);
const Table<ModelSummary> model_table(model_columns);
const Table<ListedTransformer> transformer_table(transformer_columns);
const Table<ListedPlatform> platform_table(platform_columns);
const Table<ListedHostStack> host_stack_table(host_stack_columns);

std::vector<ListedDevice> listed_devices() {
  std::vector<ListedDevice> list;
  for (const std::string_view word : device_names())
    list.push_back({std::string(word), find_device(std::string(word), {})});
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
    list.push_back({std::string(word), read_platform(name)});
  }
  return list;
}

std::vector<ListedHostStack> listed_host_stacks() {
  std::vector<ListedHostStack> list;
  for (const std::string_view word : host_stack_names())
    list.push_back({std::string(word), find_host_stack(std::string(word), {})});
  return list;
}

nlohmann::ordered_json device_list_to_json(const std::vector<ListedDevice>& devices) {
  auto list = json_of<nlohmann::ordered_json>(device_table, devices);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    list[i]["matrix_peak_tflops"] = peaks_to_json(devices[i].device.matrix_peak);
    list[i]["vector_peak_tflops"] = peaks_to_json(devices[i].device.vector_peak);
    list[i]["sources"] = devices[i].device.sources;
  }
  return {{"devices", list}};
}

}  // namespace orrery
