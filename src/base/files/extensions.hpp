// What plug-ins add to the kinds of things that inputs may name, such as forms of networks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

namespace orrery::core {

// Each kind is a type of the layer that uses it, so that this class knows none of them. Several threads may
// look things up at the same time.
class Extensions {
 public:
  template <class Kind>
  void add(const std::string& name, Kind value) {
    kinds_[typeid(Kind)].insert_or_assign(name, std::make_shared<const Kind>(std::move(value)));
  }

  // Returns null where nothing of this kind has the name.
  template <class Kind>
  std::shared_ptr<const Kind> find(std::string_view name) const {
    const Named& named = of<Kind>();
    const auto found = named.find(name);
    return found == named.end() ? nullptr : std::static_pointer_cast<const Kind>(found->second);
  }

  // Returns the names of a kind, in alphabetical order, as long as these extensions live.
  template <class Kind>
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const auto& entry : of<Kind>()) names.push_back(entry.first);
    return names;
  }

 private:
  using Named = std::map<std::string, std::shared_ptr<const void>, std::less<>>;

  template <class Kind>
  const Named& of() const {
    static const Named none;
    const auto found = kinds_.find(typeid(Kind));
    return found == kinds_.end() ? none : found->second;
  }

  std::map<std::type_index, Named> kinds_;
};

// What inputs may name where no plug-in was loaded.
inline const Extensions no_extensions;

}  // namespace orrery::core
