// A congestion control of a plug-in, which is found by its name among the extensions.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "network/packet/congestion/congestion_control.hpp"

namespace orrery::core {

// What decides for one flow. Rates are in bit/s. May throw InputError.
class ForeignFlow {
 public:
  virtual ~ForeignFlow() = default;
  virtual double acknowledged(const Sender& sender, const Acknowledgement& ack, Stamp now) = 0;
  virtual double lost(const Sender& sender, Stamp now) = 0;
};

class ForeignControl {
 public:
  using Begin = std::function<std::unique_ptr<ForeignFlow>(const Sender& sender, std::uint32_t payload)>;

  ForeignControl(std::string name, bool needs_marks, Begin begin);
  ForeignControl(const ForeignControl&) = delete;
  ForeignControl& operator=(const ForeignControl&) = delete;

  // Returns the kind of congestion control that users choose by its name, which lives as long as this.
  const CongestionKind* kind() const { return &kind_; }

 private:
  struct Kind : CongestionKind {
    Begin begin;
  };
  class Control;
  static std::unique_ptr<CongestionControl> make(const CongestionParts& parts);

  std::string name_;
  Kind kind_;
};

// What a registry holds.
using ForeignControlEntry = std::shared_ptr<const ForeignControl>;

}  // namespace orrery::core
