// The parameters of a plug-in's part, in the tree that all readers share.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/input_node.hpp"
#include "orrery/parameters.hpp"

namespace orrery::core {

class NodeParameters : public Parameters {
 public:
  // `map` outlives the parameters. `what` names the part in a sentence, such as "the network `star`".
  NodeParameters(const InputNode& map, std::string what);

  bool has(std::string_view key) const override;
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t largest) const override;
  double real(std::string_view key, double least, double largest) const override;
  bool boolean(std::string_view key) const override;
  std::string text(std::string_view key) const override;
  orrery::Time time(std::string_view key) const override;
  double bandwidth(std::string_view key) const override;
  std::uint64_t bytes(std::string_view key) const override;
  std::unique_ptr<const Parameters> map(std::string_view key) const override;
  [[noreturn]] void refuse(std::string_view key, const std::string& why) const override;

  // Counts a key as asked for.
  void expect(std::string_view key) { asked_->keys.emplace(key); }
  // Throws InputError at a key, here or in a map below, for which nobody has asked.
  void refuse_others() const;

 private:
  // What was asked for, with that of the maps below, which do not live as long.
  struct Asked {
    std::set<std::string, std::less<>> keys;
    std::vector<NodeParameters> below;
  };

  const InputNode& value(std::string_view key) const;

  const InputNode* map_;
  std::string what_;
  std::shared_ptr<Asked> asked_;
};

}  // namespace orrery::core
