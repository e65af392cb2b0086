#include "cli/flags/option_flags.hpp"

namespace orrery::core {

std::string flag_of(const NetworkOptionKind& kind) {
  return "--" + std::string(kind.key.name);
}

SharedOption read_option_of_flag(const NetworkOptionKind& kind, const std::string& value,
                                 const FileLoader& load) {
  InputNode node;
  node.kind = InputNode::Kind::scalar;
  node.text = value;
  node.where = {flag_of(kind)};
  return kind.read(node, {{}, load});
}

}  // namespace orrery::core
