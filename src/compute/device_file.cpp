#include "compute/device_file.hpp"

#include <algorithm>

#include "base/embedded_file.hpp"
#include "base/file.hpp"
#include "base/nearest_names.hpp"
#include "base/token_reader.hpp"
#include "base/words.hpp"
#include "base/yaml_reader.hpp"

namespace orrery {
namespace {

constexpr int most_processors = 1'000'000;
constexpr int largest_tile = 65'536;

// "1.41 GHz" in Hz.
double frequency_of(const YamlNode& node, std::string_view key) {
  constexpr std::array<Word<double>, 2> units{{{"MHz", 1e6}, {"GHz", 1e9}}};
  const std::string_view text = scalar_of(node, key);
  const std::size_t end = std::min(text.find(' '), text.size());
  const auto number = parse_real(text.substr(0, end));
  const auto unit = value_of(units, text.substr(std::min(end + 1, text.size())));
  if (!number || !unit || *number <= 0)
    reject_value(node, key, "a frequency such as `1410 MHz` or `1.41 GHz`");
  return *number * *unit;
}

double seconds_of(const YamlNode& node, std::string_view key) {
  return time_of(node, key).ns() * 1e-9;
}

// Above zero, at most 1.
double share_of(const YamlNode& node, std::string_view key) {
  return real_of(node, key, 1e-6, 1);
}

void read_peaks(const YamlNode& node, Peaks& peaks) {
  require_map_of(node, "the peaks of a device", words_of(datatype_words));
  for (const auto& [word, type] : datatype_words)
    if (const YamlNode* value = node.find(word)) peaks[type] = flops_of(*value, word);
}

std::vector<std::string> peak_keys() {
  std::vector<std::string> keys;
  for (const auto word : words_of(datatype_words)) keys.push_back("." + std::string(word));
  return keys;
}

constexpr YamlKey<Device> memory_keys[] = {
    {"size", [](const YamlNode& v, Device& d) { d.memory_size = bytes_of(v, "size"); }},
    {"bandwidth", [](const YamlNode& v, Device& d) { d.memory_bandwidth = bandwidth_of(v, "bandwidth"); }},
};

void read_memory(const YamlNode& node, Device& device) {
  constexpr auto what = "the memory of a device";
  read_map(node, what, memory_keys, device);
  required(node, what, "bandwidth");
}

constexpr YamlKey<SystolicArrays> systolic_keys[] = {
    {"rows", [](const YamlNode& v, SystolicArrays& s) { s.rows = int_of(v, "rows", 1, largest_tile); }},
    {"columns",
     [](const YamlNode& v, SystolicArrays& s) { s.columns = int_of(v, "columns", 1, largest_tile); }},
    {"count", [](const YamlNode& v, SystolicArrays& s) { s.count = int_of(v, "count", 1, most_processors); }},
};

void read_systolic(const YamlNode& node, Device& device) {
  constexpr auto what = "systolic arrays";
  device.systolic.emplace();
  read_map(node, what, systolic_keys, *device.systolic);
  for (const auto& key : systolic_keys) required(node, what, key.name);
}

void read_tiles(const YamlNode& node, RooflineConstants& constants) {
  constants.tiles.clear();
  for (const YamlNode& tile : list_of(node, "tiles")) {
    if (tile.kind != YamlNode::Kind::list || tile.items.size() != 2)
      reject_value(tile, "tiles", "a list of pairs of rows and columns such as [128, 256]");
    constants.tiles.push_back({int_of(tile.items[0], "rows of a tile", 1, largest_tile),
                               int_of(tile.items[1], "columns of a tile", 1, largest_tile)});
  }
}

using Constants = RooflineConstants;
constexpr YamlKey<Constants> roofline_keys[] = {
    {"launch", [](const YamlNode& v, Constants& c) { c.launch_seconds = seconds_of(v, "launch"); }},
    {"matrix-efficiency",
     [](const YamlNode& v, Constants& c) { c.matrix_efficiency = share_of(v, "matrix-efficiency"); }},
    {"memory-efficiency",
     [](const YamlNode& v, Constants& c) { c.memory_efficiency = share_of(v, "memory-efficiency"); }},
    {"load-bandwidth",
     [](const YamlNode& v, Constants& c) {
       c.load_bandwidth = bandwidth_of(v, "load-bandwidth").bytes_per_ns() * 1e9;
     }},
    {"tile-time", [](const YamlNode& v, Constants& c) { c.tile_seconds = seconds_of(v, "tile-time"); }},
    {"exposed-share",
     [](const YamlNode& v, Constants& c) { c.exposed_share = real_of(v, "exposed-share", 0, 1); }},
    {"unaligned-slowdown",
     [](const YamlNode& v, Constants& c) {
       c.unaligned_slowdown = real_of(v, "unaligned-slowdown", 1, 100);
     }},
    {"structured-speedup",
     [](const YamlNode& v, Constants& c) { c.structured_speedup = real_of(v, "structured-speedup", 1, 2); }},
    {"zero-skipping",
     [](const YamlNode& v, Constants& c) { c.zero_skipping = real_of(v, "zero-skipping", 0, 1); }},
    {"tiles", read_tiles},
};

void read_sources(const YamlNode& node, Device& device) {
  require_map(node, "the sources of a device");
  for (std::size_t i = 0; i < node.names.size(); ++i)
    device.sources.push_back(node.names[i].text + ": " + scalar_of(node.items[i], node.names[i].text));
}

constexpr YamlKey<Device> device_keys[] = {
    {"name", [](const YamlNode& v, Device& d) { d.name = label_of(v, "name"); }},
    {"sources", read_sources},
    {"matrix-peak", [](const YamlNode& v, Device& d) { read_peaks(v, d.matrix_peak); }, peak_keys},
    {"vector-peak", [](const YamlNode& v, Device& d) { read_peaks(v, d.vector_peak); }, peak_keys},
    {"memory", read_memory, [] { return key_paths(".", memory_keys); }},
    {"cache", [](const YamlNode& v, Device& d) { d.cache_size = bytes_of(v, "cache"); }},
    {"processors",
     [](const YamlNode& v, Device& d) { d.processors = int_of(v, "processors", 1, most_processors); }},
    {"clock", [](const YamlNode& v, Device& d) { d.clock_hz = frequency_of(v, "clock"); }},
    {"link-bandwidth",
     [](const YamlNode& v, Device& d) { d.link_bandwidth = bandwidth_of(v, "link-bandwidth"); }},
    {"systolic", read_systolic, [] { return key_paths(".", systolic_keys); }},
    {"roofline",
     [](const YamlNode& v, Device& d) { read_map(v, "the roofline model", roofline_keys, d.roofline); },
     [] { return key_paths(".", roofline_keys); }},
};

bool is_file(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(".yaml") || text.ends_with(".yml");
}

}  // namespace

Device read_device_file(std::string_view text, const std::string& file) {
  constexpr auto what = "a device";
  const YamlNode root = parse_yaml(text, file);
  Device device;
  read_map(root, what, device_keys, device);
  for (const auto key : {"name", "memory", "processors"}) required(root, what, key);
  const bool computes = std::ranges::any_of(
      datatype_words, [&](const auto& word) { return device.product_peak(word.value) > 0; });
  if (!computes)
    throw InputError(root.where, "a device needs a peak in `matrix-peak` or `vector-peak`, such as `fp16`");
  return device;
}

Device find_device(const std::string& name_or_file, const SourceLocation& where) {
  if (is_file(name_or_file)) return read_device_file(read_text_file(name_or_file), name_or_file);
  const std::string file = "devices/" + name_or_file + ".yaml";
  if (const auto text = embedded_file(file)) return read_device_file(*text, file);
  const auto names = device_names();
  throw InputError(where, none_of_name("device", name_or_file, names) +
                              " (`orrery list devices` shows all); a device file ends in .yaml");
}

std::vector<std::string_view> device_names() {
  return embedded_names("devices");
}

std::vector<std::string> device_file_keys() {
  return key_paths("", device_keys);
}

}  // namespace orrery
