#include "study/calibration/measured/calibrated_platform.hpp"

#include "study/experiment/overrides.hpp"
#include "study/experiment/run_keys.hpp"

namespace orrery::core {
namespace {

InputNode map_of_one(const char* key, InputNode value) {
  InputNode map;
  map.kind = InputNode::Kind::map;
  map.where = value.where;
  map.names.push_back({key, value.where});
  map.items.push_back(std::move(value));
  return map;
}

InputNode document_of_platform(const std::string& name, const std::string& option) {
  InputNode base;
  base.kind = InputNode::Kind::scalar;
  base.text = name;
  base.where = {option};
  return map_of_one("platform", map_of_one("base", std::move(base)));
}

}  // namespace

CalibratedPlatform::CalibratedPlatform(const std::string& name_or_file, const std::string& option,
                                       const FileLoader& load)
    : option_(option),
      load_(load),
      document_(document_of_platform(name_or_file, option)),
      as_it_is_(read(document_)) {}

ConstantsOf CalibratedPlatform::constants() const {
  return {&as_it_is_.device.facts, as_it_is_.library ? &*as_it_is_.library : nullptr, &as_it_is_.stack};
}

Platform CalibratedPlatform::with(std::span<const Constant> constants, const ConstantValues& values) const {
  InputNode document = document_;
  apply_overrides(document, settings_of(constants, values, "platform"),
                  [](std::string_view first) { return experiment_file_keys(first); });
  return read(document);
}

Platform CalibratedPlatform::read(const InputNode& document) const {
  return read_platform(*document.find("platform"), {}, load_);
}

}  // namespace orrery::core
