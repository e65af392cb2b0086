// The flag --network-model.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "base/files/extensions.hpp"
#include "network/network_model.hpp"

namespace orrery::core {

class NetworkModelFlag {
 public:
  // This has to live as long as the command.
  void add_to(CLI::App& command);

  bool given() const { return word_.has_value(); }
  // Returns the word behind it, if it is given.
  const std::optional<std::string>& word() const { return word_; }
  // Returns the model that it names, if it is given. Throws InputError where there is no such model.
  std::optional<NetworkModel> model(const Extensions& extensions = no_extensions) const;

 private:
  std::optional<std::string> word_;
};

}  // namespace orrery::core
