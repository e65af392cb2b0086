// The networks, systems, workloads or platforms that an experiment describes once, for runs to use by name.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/input/input_node.hpp"

namespace orrery::core {

class NamedDefinitions {
 public:
  // What a `base` may be that is the name of no piece.
  enum class OtherBase { refused, for_the_reader };

  // `kind` is the key of the experiment below which the pieces are, such as "networks".
  explicit NamedDefinitions(const char* kind, OtherBase other = OtherBase::refused)
      : kind_(kind), other_(other) {}

  // Takes the map of the pieces, which has to outlive this object. Null: there are none. Throws InputError
  // when it is no map.
  void take(const InputNode* map);

  // Returns what a run's value stands for: the piece that it names, a piece with changes, or else the value
  // itself. Throws InputError.
  const InputNode& resolve(const InputNode& node) { return resolve(node, 0); }
  // Returns the piece of that name, or null where there is none.
  const InputNode* find(const std::string& name) const { return map_ ? map_->find(name) : nullptr; }

  // Returns "`networks` (there: `a` or `b`)", for messages.
  std::string names() const;
  // Warns of pieces for which no value stood.
  void warn_of_unused(Warnings& warnings) const;

 private:
  const InputNode& resolve(const InputNode& node, int depth);

  const char* kind_;
  OtherBase other_;
  const InputNode* map_ = nullptr;
  std::set<const InputNode*> used_;
  std::map<const InputNode*, InputNode> changed_;  // maps with a base, by the map that was written
};

}  // namespace orrery::core
