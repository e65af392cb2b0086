#include "compute/device_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/words.hpp"
#include "base/files/embedded_file.hpp"
#include "base/input/yaml_base.hpp"
#include "base/text/quantity.hpp"

namespace orrery::core {
namespace {

constexpr int max_processors = 1'000'000;
constexpr int largest_tile = 65'536;
constexpr double largest_structured_speedup = 64;

double frequency(const InputNode& node, const KeyFacts& key) {
  return parse_frequency(scalar_of(node, key.name), node.where);
}

template <Peaks Device::*member>
void read_peaks(const InputNode& node, Device& device) {
  require_map_of(node, "the peaks of a device", words_of(datatype_words));
  for (const auto& [word, type] : datatype_words)
    if (const InputNode* value = node.find(word)) (device.*member)[type] = flops_of(*value, word);
}

constexpr KeyFacts peak_facts{.name = "",
                              .fallback = "none",
                              .meaning = "peak in this number format",
                              .type = KeyType::rate,
                              .kind = ParameterKind::hardware};

std::vector<KeyPath> peak_keys() {
  std::vector<KeyPath> keys;
  for (const auto word : words_of(datatype_words)) keys.push_back({"." + std::string(word), &peak_facts});
  return keys;
}

constexpr Key<Device> device_memory_keys[] = {
    key::size<&Device::memory_size>("size", "not known", ""),
    key::bandwidth<&Device::memory_bandwidth>("bandwidth", "required", "peak bandwidth of the main memory")
        .hardware(),
};

constexpr Key<SystolicArrays> systolic_keys[] = {
    key::integer<&SystolicArrays::rows>("rows", 1, largest_tile, "required",
                                        "cells of an array along its rows"),
    key::integer<&SystolicArrays::columns>("columns", 1, largest_tile, "required",
                                           "cells of an array along its columns"),
    key::integer<&SystolicArrays::count>("count", 1, max_processors, "required", "number of arrays")
        .better(Better::more)
        .hardware(),
};

void read_structured_pattern(const InputNode& node, const KeyFacts& key, RooflineConstants& constants) {
  const auto pattern = parse_block_pattern(scalar_of(node, key.name));
  if (!pattern || pattern->is_dense()) reject_value(node, key.name, "a pattern such as 2:4");
  constants.structured_pattern = *pattern;
}

template <class Constants>
void read_tiles(const InputNode& node, const KeyFacts&, Constants& constants) {
  constants.tiles.clear();
  for (const InputNode& tile : list_of(node, "tiles")) {
    if (tile.kind != InputNode::Kind::list || tile.items.size() != 2)
      reject_value(tile, "tiles", "a list of pairs of rows and columns such as [128, 256]");
    constants.tiles.push_back({int_of(tile.items[0], "rows of a tile", 1, largest_tile),
                               int_of(tile.items[1], "columns of a tile", 1, largest_tile)});
  }
}

constexpr Key<ProductConstants> product_keys[] = {
    key::seconds<&ProductConstants::launch_seconds>("launch", "required", "as `roofline.launch`").software(),
    key::share<&ProductConstants::matrix_efficiency>("matrix-efficiency", "required",
                                                     "as `roofline.matrix-efficiency`")
        .fitted(),
    key::share<&ProductConstants::memory_efficiency>("memory-efficiency", "required",
                                                     "as `roofline.memory-efficiency`")
        .fitted(),
    key::bytes_per_second<&ProductConstants::load_bandwidth>("load-bandwidth", "required",
                                                             "as `roofline.load-bandwidth`")
        .hardware(),
    key::seconds<&ProductConstants::tile_seconds>("tile-time", "required", "as `roofline.tile-time`")
        .fitted(),
    key::real<&ProductConstants::exposed_share>("exposed-share", 0, 1, "required",
                                                "as `roofline.exposed-share`")
        .better(Better::less)
        .fitted(),
    key::custom<read_tiles<ProductConstants>>("tiles", "pairs of rows and columns", "32 × 32 to 256 × 128",
                                              "as `roofline.tiles`"),
};

using Constants = RooflineConstants;
constexpr Key<Constants> roofline_keys[] = {
    key::seconds<&Constants::launch_seconds>("launch", "4 us",
                                             "time to launch an operator, whatever its size")
        .software(),
    key::share<&Constants::matrix_efficiency>(
        "matrix-efficiency", "0.8", "share of the peak that is reached in the inner loop of a product")
        .fitted(),
    key::share<&Constants::memory_efficiency>("memory-efficiency", "0.8",
                                              "share of the main memory's bandwidth that is reached")
        .fitted(),
    key::bytes_per_second<&Constants::load_bandwidth>("load-bandwidth", "no limit",
                                                      "bandwidth from the cache into one processor")
        .hardware(),
    key::seconds<&Constants::tile_seconds>("tile-time", "1 us",
                                           "time per tile, to fill its pipeline and to write its results")
        .fitted(),
    key::real<&Constants::exposed_share>(
        "exposed-share", 0, 1, "0.15",
        "share of the shorter of two overlapping tasks that does not hide behind the longer one")
        .better(Better::less)
        .fitted(),
    key::share<&Constants::sustained_share>(
        "sustained-share", "1",
        "share of the speed of products that power leaves once one has taken `boost-time`")
        .fitted(),
    key::seconds<&Constants::boost_seconds>(
        "boost-time", "0",
        "time for which a product is computed at full speed, before power lowers the clock")
        .better(Better::more)
        .fitted(),
    key::map<product_keys, &Constants::fp32>("fp32", "the constants of products in fp32", "those above",
                                             "constants of products in fp32, whose kernels use vector units; "
                                             "power is part of them, and rows may begin "
                                             "at any element"),
    key::real<&Constants::unaligned_slowdown>(
        "unaligned-slowdown", 1, 100, "2",
        "slowdown of products whose rows, of K or N elements, begin at any element; it is smaller for rows "
        "that begin at multiples of 4 or 8 bytes, and there is none at multiples of 16")
        .better(Better::less)
        .fitted(),
    key::custom<read_structured_pattern>(
        "structured-pattern", "N:M", "2:4",
        "pattern of sparse operands that are multiplied faster: at most N of M "
        "neighbours are not zero")
        .trying("1:4"),
    key::real<&Constants::structured_speedup>(
        "structured-speedup", 1, largest_structured_speedup, "1",
        "speedup of computing with sparse operands of that pattern, M / N at most; 1: the device does not "
        "support them")
        .better(Better::more)
        .hardware(),
    key::real<&Constants::zero_skipping>("zero-skipping", 0, 1, "0",
                                         "share of multiplications by zero whose time is saved")
        .better(Better::more)
        .hardware(),
    key::custom<read_tiles<Constants>>(
        "tiles", "pairs of rows and columns", "64 × 64 to 256 × 128",
        "sizes of the tiles of the output that one processor may work on; the fastest size is used"),
};

void read_compute_model(const InputNode& node, const KeyFacts& key, Device& device) {
  device.compute_model = {scalar_of(node, key.name), node.where};
}

constexpr Key<Device> device_keys[] = {
    key::label<&Device::name>("name", "required", "name for people to read"),
    key::texts<&Device::sources>("sources", "none", "sources from which the numbers are taken")
        .of("map of texts"),
    key::custom<read_peaks<&Device::matrix_peak>>(
        "matrix-peak", "map of rates", "none",
        "peak of the matrix units for dense operands; a multiply-accumulate counts as two operations")
        .above(peak_keys),
    key::custom<read_peaks<&Device::vector_peak>>(
        "vector-peak", "map of rates", "none",
        "peak for everything else, and for products in formats that `matrix-peak` lacks")
        .above(peak_keys),
    key::map<device_memory_keys>("memory", "the memory of a device", "required", "main memory"),
    key::size<&Device::cache_size>("cache", "not known", "size of the last level of cache")
        .better(Better::more)
        .hardware(),
    key::integer<&Device::processors>("processors", 1, max_processors, "required",
                                      "number of streaming multiprocessors, compute units or matrix engines; "
                                      "each works on one tile at a time")
        .better(Better::more)
        .hardware(),
    key::declared<frequency, KeyType::other, &Device::clock_hz>("clock", "not known", "")
        .of("frequency")
        .hardware(),
    key::bandwidth<&Device::link_bandwidth>(
        "link-bandwidth", "not known", "bandwidth to other devices, of all links in both directions together")
        .hardware(),
    key::integer<&Device::collective_processors>(
        "collective-processors", 0, max_processors, "0",
        "number of processors that the kernels of collectives occupy, [which slows computation "
        "down](../models/contention.md); 0: engines of their own carry out collectives and take nothing "
        "from computation")
        .better(Better::less)
        .software(),
    key::map<systolic_keys, &Device::systolic>(
        "systolic", "systolic arrays", "none",
        "for devices made of systolic arrays, such as TPUs. A product of a network takes the time of [such "
        "an array](#systolic-arrays), weight stationary, or the time that memory takes, if that is longer, "
        "and `roofline.launch` in addition. The key needs `clock`"),
    key::rate<&Device::exponential_rate>("exponential-rate", "a sixteenth of `vector-peak.fp32`",
                                         "exponentials per second of the special function units, which fused "
                                         "attention needs; one counts as one "
                                         "operation")
        .hardware(),
    key::map<roofline_keys, &Device::roofline>("roofline", "the roofline model", "",
                                               "constants of the roofline model"),
    key::declared<read_attention_kernel, KeyType::other, &Device::attention_kernel>(
        "attention-kernel", "one that reaches 0.6 of the peak",
        "[implementation of fused attention](#kernels), unless a stack names another")
        .of("name or map")
        .trying("flash-attention-2")
        .above(attention_kernel_keys),
    key::declared<read_pointwise_kernels, KeyType::other, &Device::pointwise>(
        "pointwise", "one pass for each operator",
        "[level of fusion](#kernels) of operators without products, unless a stack names another")
        .of("name or map")
        .trying("eager")
        .above(pointwise_kernel_keys),
    key::custom<read_compute_model>(
        "compute-model", "name", "none",
        "[compute model of a plug-in](../plugins.md) that says how long operators "
        "take, in place of Orrery's own"),
};

InputNode find_map(const std::string& name_or_file, const SourceLocation& where, const FileLoader& load) {
  constexpr Catalogue devices{"devices", "device",
                              " (`orrery list devices` shows all); a device file ends in .yaml"};
  const FoundFile file = find_file(devices, name_or_file, where, load);
  return parse_yaml(file.text, file.name);
}

// Zeros of a pattern are all that can be left out.
void check_structured_speedup(const Device& device, const InputNode& root) {
  const RooflineConstants& constants = device.roofline;
  const BlockPattern& pattern = constants.structured_pattern;
  const double most = 1 / (1 - pattern.zeros());
  if (constants.structured_speedup <= most) return;
  throw InputError(root.find("roofline")->find("structured-speedup")->where,
                   fmt::format("operands of {} are multiplied {:.4g} times as fast at most, not {:.4g}",
                               text_of(pattern), most, constants.structured_speedup));
}

}  // namespace

Device read_device_file(std::string_view text, const std::string& file) {
  return read_device(parse_yaml(text, file));
}

Device read_device(const InputNode& root) {
  Device device;
  read_map(root, "a device", device_keys, device);
  const bool computes = std::ranges::any_of(
      datatype_words, [&](const auto& word) { return device.product_peak(word.value) > 0; });
  if (!computes)
    throw InputError(root.where, "a device needs a peak in `matrix-peak` or `vector-peak`, such as `fp16`");
  if (device.collective_processors >= device.processors && device.collective_processors > 0)
    throw InputError(root.find("collective-processors")->where,
                     fmt::format("collectives cannot occupy all of a device's processors; give fewer than {}",
                                 device.processors));
  check_structured_speedup(device, root);
  return device;
}

Device find_device(const std::string& name_or_file, const SourceLocation& where, const FileLoader& load) {
  return read_device(find_map(name_or_file, where, load));
}

InputNode device_map(const InputNode& node, const std::filesystem::path& folder, const FileLoader& load) {
  if (node.kind == InputNode::Kind::map) {
    const InputNode below = device_map(required(node, "a changed device", "base"), folder, load);
    return over_base(node, below, OverWord::replaces_it);
  }
  const std::string& word = scalar_of(node, "device");
  return find_map(is_path(word) ? (folder / word).string() : word, node.where, load);
}

std::vector<std::string_view> device_names() {
  return embedded_names("devices");
}

std::vector<KeyPath> device_file_keys() {
  return key_paths("", device_keys);
}

}  // namespace orrery::core
