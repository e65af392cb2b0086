#include "workload/training/platform.hpp"

#include <fmt/format.h>

#include "base/files/embedded_file.hpp"
#include "base/input/yaml_base.hpp"
#include "collective/library/library_file.hpp"
#include "compute/device_file.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/training/contended_platform.hpp"

namespace orrery::core {

namespace {

// Training leaves gradients and weights in the memory of its devices, whatever the library.
ClusterLinks links_of_devices() {
  ClusterLinks links;
  links.buffers = Buffers::gpu;
  return links;
}

struct Draft {
  const InputNode* device = nullptr;
  const InputNode* stack = nullptr;
  std::string source, library = "nccl";
  ClusterLinks links = links_of_devices();
};

constexpr int max_gpus_per_node = 1 << 12;

LinkChoice link(const InputNode& node, const KeyFacts& key) {
  if (node.kind != InputNode::Kind::map) scalar_of(node, key.name);
  return LinkChoice(node);
}

constexpr Key<SoftwareStack> stack_keys[] = {
    key::label<&SoftwareStack::name>("name", "", "name for people to read"),
    key::text<&SoftwareStack::source>("source", "", "source of the numbers, for people to read"),
    key::real<&SoftwareStack::kernel_slowdown>(
        "kernel-slowdown", 0.1, 100, "1",
        "factor on the time that operators take alone, for clocks under load and slower kernels")
        .better(Better::less)
        .fitted(),
    key::real<&SoftwareStack::elementwise_slowdown>(
        "elementwise-slowdown", 0.1, 100, "as that",
        "factor on operators that are no products, for passes that are not fused")
        .better(Better::less)
        .fitted(),
    key::time<&SoftwareStack::host_time_per_operator>(
        "host-time-per-operator", "0", "time that the host takes to launch an operator of a layer")
        .software(),
    key::time<&SoftwareStack::host_time_per_exchange>(
        "host-time-per-exchange", "0", "time that the host takes to launch a collective of a layer")
        .software(),
    key::time<&SoftwareStack::time_per_pass>("time-per-pass", "0",
                                             "additional time of each pass of a micro-batch through a stage")
        .fitted(),
    key::boolean<&SoftwareStack::batches_need_alignment>(
        "batches-need-alignment", "false",
        "whether attention without fused kernels takes the vector units where rows of its products do not "
        "begin at multiples of 16 bytes, as in the libraries of CUDA 11.0"),
    key::real<&SoftwareStack::exchange_efficiency>(
        "exchange-efficiency", 0.001, 1, "1",
        "efficiency of collectives within layers, compared with the library alone")
        .better(Better::more)
        .software(),
    key::real<&SoftwareStack::sharding_efficiency>(
        "sharding-efficiency", 0.001, 1, "as that",
        "efficiency of exchanges of gradients and weights, compared with the library alone")
        .better(Better::more)
        .software(),
    key::size<&SoftwareStack::bucket>("bucket", "25 MiB", "size of the gradients that are reduced together")
        .better(Better::either)
        .software(),
    key::word<attention_words, &SoftwareStack::attention>(
        "attention", "naive",
        "how attention is computed unless `workload.attention` says so; `flash` in `generic` and in stacks "
        "of 2023 and later"),
    key::declared<key_readers::by_name<AttentionKernel, read_attention_kernel>, KeyType::other,
                  &SoftwareStack::attention_kernel>(
        "attention-kernel", "that of the device",
        "[implementation](devices.md#kernels) of attention where that is `flash`; a plug-in's compute model "
        "has "
        "one of its own")
        .of("name or map")
        .trying("flash-attention-2|cudnn-hopper")
        .above(attention_kernel_keys),
    key::declared<key_readers::by_name<PointwiseKernels, read_pointwise_kernels>, KeyType::other,
                  &SoftwareStack::pointwise>(
        "pointwise", "that of the device",
        "[level of fusion](devices.md#kernels) of operators without products; a plug-in's compute model has "
        "one "
        "of its own")
        .of("name or map")
        .trying("eager|compiled")
        .above(pointwise_kernel_keys),
};

constexpr KeyFacts base_key{
    "base",
    "none",
    "platform or stack whose values count for all keys that are not given. Where a map is given for `stack`, "
    "`inside` or `between`, the same holds for the keys of that map, unless it has a `base` of its own; "
    "a map of `stack` that is over nothing is over the default of `stack`",
    KeyType::other,
    0,
    0,
    nullptr,
    nullptr,
    "such a name or file"};

constexpr Key<Draft> platform_keys[] = {
    key::text<&Draft::source>("source", "", "source of the numbers, for people to read"),
    key::kept<&Draft::device>("device", "as `device`", "required", "").trying("h100|a100").open(),
    key::integer<&Draft::links, &ClusterLinks::gpus_per_node>("gpus-per-node", 1, max_gpus_per_node, "8", ""),
    key::integer<&Draft::links, &ClusterLinks::nics_per_node>("nics-per-node", 0, max_gpus_per_node,
                                                              "0: one per GPU", "")
        .better(Better::more)
        .hardware(),
    key::declared<link, KeyType::other, &Draft::links, &ClusterLinks::inside>(
        "inside", "required unless the run has a `network`",
        "links inside a node; the values are those of one GPU in one direction")
        .of("[links](#links-of-a-machine)")
        .above(inside_link_keys),
    key::declared<link, KeyType::other, &Draft::links, &ClusterLinks::between>(
        "between", "none", "links between nodes; the values are those of one network card in one direction")
        .of("[links](#links-of-a-machine)")
        .above(between_link_keys),
    key::text<&Draft::library>("library", "`nccl`", "library that says what collectives cost")
        .trying("ideal")
        .of("`gloo`, `ideal`, `mpi`, `nccl`, file"),
    key::word<buffers_words, &Draft::links, &ClusterLinks::buffers>(
        "buffers", "`gpu`", "memory of the buffers of collectives; a library of hosts copies those of GPUs"),
    key::kept<&Draft::stack>(
        "stack",
        "`composer`, `deepspeed`, `deepspeed-sailor`, `deepspeed-zero3`, `generic`, `llama3`, `maxtext`, "
        "`megatron-2021`, `megatron-2022`, `megatron-core`, `megatron-deepspeed`, "
        "`megatron-deepspeed-bloom`, `mlperf-bert`, `nemo`, `nemo-rocm`, `none`, `paddle`, `pytorch-eager`, "
        "`pytorch-fsdp`, the path of a file, or a map",
        "`generic` for training, `none` for inference", "times that the software adds")
        .trying("llama3")
        .above(stack_file_keys),
};

SoftwareStack stack_of(const InputNode& map) {
  constexpr double not_given = 0;
  SoftwareStack stack;
  stack.elementwise_slowdown = stack.sharding_efficiency = not_given;
  read_map(map, "a software stack", stack_keys, stack);
  if (stack.sharding_efficiency == not_given) stack.sharding_efficiency = stack.exchange_efficiency;
  if (stack.elementwise_slowdown == not_given) stack.elementwise_slowdown = stack.kernel_slowdown;
  return stack;
}

// Resolves a word, a path or a map to keys: those of a file that comes with the program, of the user's file,
// or those of the map; in each case with those of its `base`, which is a word or a path again.
class KeysOver {
 public:
  using Folder = std::filesystem::path;

  // `kind` is the folder of the files that come with the program. `settle` is called with each map and the
  // folder to which the paths in it are relative.
  KeysOver(std::string kind, void (*settle)(InputNode& map, const Folder& folder), const FileLoader& load)
      : kind_(std::move(kind)), settle_(settle), load_(load) {}

  InputNode of(const InputNode& node, std::string_view key, const Folder& folder, int depth = 0) const {
    if (depth > max_bases)
      throw InputError(node.where, fmt::format("there are more than {} files over one another; is one of "
                                               "them its own `base`?",
                                               max_bases));
    if (node.kind == InputNode::Kind::map) return of_map(node, folder, depth);
    const std::string& word = scalar_of(node, key);
    const FoundFile file = find_file(
        {kind_, std::string_view(kind_).substr(0, kind_.size() - 1), ", or give the path of a file"},
        is_path(word) ? (folder / word).lexically_normal().string() : word, node.where, load_);
    return of_map(parse_yaml(file.text, file.name),
                  is_path(word) ? Folder(file.name).parent_path() : Folder(), depth);
  }

 private:
  static constexpr int max_bases = 16;

  InputNode of_map(InputNode map, const Folder& folder, int depth) const {
    require_map(map, fmt::format("a file of {}", kind_));
    if (settle_) settle_(map, folder);
    const InputNode* base = map.find("base");
    return base ? over_base(map, of(*base, "base", folder, depth + 1), OverWord::has_it_as_base) : map;
  }

  std::string kind_;
  void (*settle_)(InputNode& map, const Folder& folder);
  const FileLoader& load_;
};

// Makes a path relative to the folder in which the program runs.
void settle_path(InputNode* value, const std::filesystem::path& folder) {
  if (value && value->kind == InputNode::Kind::scalar && is_path(value->text))
    value->text = (folder / value->text).string();
}

void settle_paths(InputNode& platform, const std::filesystem::path& folder) {
  for (const auto key : {"device", "library", "stack"}) settle_path(platform.find(key), folder);
  for (const auto key : {"device", "stack"})
    if (InputNode* map = platform.find(key)) settle_path(map->find("base"), folder);
}

// Training takes longer than devices and links alone, whatever its software.
std::string_view usual_stack(Purpose purpose) {
  return purpose == Purpose::training ? "generic" : "none";
}

InputNode word(std::string_view text, const SourceLocation& where) {
  InputNode node;
  node.where = where;
  node.kind = InputNode::Kind::scalar;
  node.text = text;
  return node;
}

// Returns the stack that is written, or the usual one where none is. A map of some keys that has no base is
// over the usual one.
InputNode over_usual(const InputNode* written, Purpose purpose, const SourceLocation& where) {
  if (!written) return word(usual_stack(purpose), where);
  InputNode stack = *written;
  if (stack.kind == InputNode::Kind::map && !stack.find("base")) {
    stack.names.push_back({"base", stack.where});
    stack.items.push_back(word(usual_stack(purpose), stack.where));
  }
  return stack;
}

// A map of some keys that has no base changes the usual stack, and says nothing about which software it is.
bool names_software(const InputNode* stack) {
  return stack && (stack->kind != InputNode::Kind::map || stack->find("base") || stack->find("name"));
}

InputNode stack_map(const InputNode& node, const FileLoader& load) {
  return KeysOver("stacks", nullptr, load).of(node, "stack", {});
}

InputNode platform_map(const InputNode& node, const std::filesystem::path& folder, const FileLoader& load) {
  return KeysOver("platforms", settle_paths, load).of(node, "platform", folder);
}

}  // namespace

namespace {

// Puts the number of NICs in place of "one per GPU".
void write_out_nics(InputNode& platform) {
  InputNode* nics = platform.find("nics-per-node");
  if (!platform.find("between") || (nics && nics->text != "0")) return;
  if (!nics) {
    platform.names.push_back({"nics-per-node", platform.where});
    nics = &platform.items.emplace_back();
    nics->where = platform.where;
  }
  const InputNode* const gpus = platform.find("gpus-per-node");
  nics->kind = InputNode::Kind::scalar;
  nics->text = gpus ? gpus->text : std::to_string(ClusterLinks().gpus_per_node);
}

}  // namespace

InputNode written_out_platform(const InputNode& node, const std::filesystem::path& folder,
                               const FileLoader& load, Purpose purpose) {
  InputNode map = platform_map(node, folder, load);
  const InputNode* const named = map.find("library");
  const std::string library = named ? scalar_of(*named, "library") : Draft().library;
  if (InputNode* device = map.find("device")) *device = device_map(*device, {}, load);
  if (!map.find("stack")) {
    map.names.push_back({"stack", map.where});
    map.items.push_back(word(usual_stack(purpose), map.where));
  }
  InputNode& stack = *map.find("stack");
  stack = stack_map(over_usual(&stack, purpose, map.where), load);
  for (const auto place : {"inside", "between"})
    if (InputNode* links = map.find(place)) *links = link_map(*links, library, place, load);
  write_out_nics(map);
  return map;
}

namespace {

constexpr std::string_view inside_key = "inside";

void require_keys(const InputNode& platform, LinksOf links) {
  for (const auto& key : platform_keys) {
    const bool is_needed = key.is_required() || (key.name == inside_key && links == LinksOf::platform);
    if (is_needed && !platform.find(key.name))
      throw InputError(platform.where,
                       fmt::format("a platform needs the key `{}`, or a `base` that has it", key.name));
  }
}

}  // namespace

Platform read_platform(const InputNode& node, const std::filesystem::path& folder, const FileLoader& load,
                       PlatformUse use) {
  const InputNode map = platform_map(node, folder, load);
  Draft draft;
  require_keys(map, use.links);
  read_map(map, "a platform", platform_keys, draft);
  const bool has_links = map.find(inside_key) != nullptr;
  if (!has_links)
    find_library_constants(draft.library, map.where, load);  // throws where there is no such library
  const SoftwareStack stack = stack_of(stack_map(over_usual(draft.stack, use.purpose, map.where), load));
  Platform platform{draft.source,
                    with_software(find_computing_device(*draft.device, {}, load), stack),
                    std::nullopt,
                    stack,
                    names_software(draft.stack),
                    nullptr};
  if (!has_links) return platform;
  platform.library = find_collective_library(draft.library, draft.links, map.where, load);
  platform.contended = contended_device(platform.device.facts, stack, received_per_second(*platform.library));
  return platform;
}

InputNode stack_of_platform(const InputNode& node, const std::filesystem::path& folder,
                            const FileLoader& load) {
  const InputNode map = platform_map(node, folder, load);
  return over_usual(map.find("stack"), Purpose::training, map.where);
}

SoftwareStack read_stack_file(std::string_view text, const std::string& file, const FileLoader& load) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  return stack_of(KeysOver("stacks", nullptr, load).of(parse_yaml(text, file), "stack", folder));
}

SoftwareStack stack_named(std::string_view name) {
  return stack_of(stack_map(word(name, {}), no_files()));
}

std::vector<std::string_view> stack_words() {
  return embedded_names("stacks");
}

std::vector<std::string_view> platform_words() {
  return embedded_names("platforms");
}

std::vector<KeyPath> platform_file_keys() {
  return with_base(keys_of_map<platform_keys>(), base_key);
}

std::vector<KeyPath> stack_file_keys() {
  return with_base(keys_of_map<stack_keys>(), base_key);
}

}  // namespace orrery::core
