#include "topology/garnet_file.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/diagnostics.hpp"

namespace orrery {

namespace {

// Those that no other input has.
constexpr std::array<std::string_view, 18> garnet_keys{
    "num-npus:",
    "num-packages:",
    "package-rows:",
    "local-rings:",
    "horizontal-rings:",
    "vertical-rings:",
    "links-per-tile:",
    "flit-width:",
    "local-packet-size:",
    "package-packet-size:",
    "tile-link-width:",
    "package-link-width:",
    "vcs-per-vnet:",
    "local-link-latency:",
    "package-link-latency:",
    "buffers-per-vc:",
    "local-link-efficiency:",
    "package-link-efficiency:",
};

bool is_garnet_file(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  constexpr std::size_t enough = 2;  // one might be a name in something else
  std::set<std::string_view> found;
  for (std::size_t begin = text.find_first_not_of(blanks); begin < text.size() && found.size() < enough;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (word.ends_with(':') && std::ranges::find(garnet_keys, word) != garnet_keys.end()) found.insert(word);
    begin = text.find_first_not_of(blanks, end);
  }
  return found.size() == enough;
}

}  // namespace

void refuse_garnet_file(std::string_view text, const std::string& file) {
  if (is_garnet_file(text))
    throw InputError({file},
                     "this is a network file of ASTRA-sim 1.0's Garnet backend, which simulates the flits of "
                     "packets; Orrery simulates messages: describe the same dimensions in a network file in "
                     "JSON or in an experiment, and let messages queue for links with --network-model=link");
}

}  // namespace orrery
