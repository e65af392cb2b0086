// The keys and values that a user wrote for a part that a plug-in makes: examples/plugins/hypercube.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "orrery/time.hpp"

namespace orrery {

// Every function throws where the value is missing or wrong, and the user reads what is wrong at the place
// where it was written. So a plug-in lets these exceptions pass. Whatever is not asked for is refused as an
// unknown key after the part was made. For one thread.
class Parameters {
 public:
  virtual ~Parameters() = default;

  // Returns whether the user wrote this key.
  virtual bool has(std::string_view key) const = 0;

  // Return the value of a key that has to be there, a plain number without a unit from `least` to `largest`.
  virtual std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t largest) const = 0;
  virtual double real(std::string_view key, double least, double largest) const = 0;

  // Return the value of a key that has to be there.
  virtual bool boolean(std::string_view key) const = 0;
  virtual std::string text(std::string_view key) const = 0;
  virtual Time time(std::string_view key) const = 0;            // such as "500 ns"
  virtual double bandwidth(std::string_view key) const = 0;     // bytes per second, such as "25 GB/s"
  virtual std::uint64_t bytes(std::string_view key) const = 0;  // such as "64 MiB"
  // Returns the keys of a map that is the value of this key.
  virtual std::unique_ptr<const Parameters> map(std::string_view key) const = 0;

  // Throws, so that the user reads at the place of this key why its value cannot be. An empty key stands for
  // all of them together.
  [[noreturn]] virtual void refuse(std::string_view key, const std::string& why) const = 0;
};

}  // namespace orrery
