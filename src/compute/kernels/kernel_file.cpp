#include "compute/kernels/kernel_file.hpp"

#include <string>

#include "base/diagnostics/words.hpp"
#include "base/files/embedded_file.hpp"
#include "base/input/yaml_base.hpp"

namespace orrery::core {

namespace {

InputNode named_map(const InputNode& node, std::string_view key, const KernelFiles& files) {
  const std::string& word = scalar_of(node, key);
  const std::string name = std::string(files.folder) + "/" + word + ".yaml";
  if (const auto text = embedded_file(name)) return parse_yaml(std::string(*text), name);
  throw InputError(node.where, none_of_name(files.what, word, embedded_names(files.folder)) +
                                   "; to describe another one, give a map of its keys");
}

}  // namespace

InputNode kernel_map(const InputNode& node, std::string_view key, const KernelFiles& files) {
  if (node.kind != InputNode::Kind::map) return named_map(node, key, files);
  const InputNode* const base = node.find(kernel_base_key.name);
  return base ? over_base(node, named_map(*base, kernel_base_key.name, files), OverWord::replaces_it) : node;
}

}  // namespace orrery::core
