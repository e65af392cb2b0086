// Says when the links of an NPU in one dimension have carried all that was booked on them.
//
// Where all NPUs of a dimension are connected, links lead to different peers, which are numbered by how many
// positions they are ahead. Elsewhere, and where a phase may use any of them, all links are booked as one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "events/clock.hpp"

namespace orrery {

// The links that a phase uses: peers, ascending; empty: all links.
using UsedLinks = std::vector<std::uint32_t>;

class BookedLinks {
 public:
  // Returns when the last of some links has carried what was booked.
  Stamp free(const UsedLinks& used) const {
    Stamp last = all_;
    for (const auto& [link, at] : later_)
      if (used.empty() || std::ranges::binary_search(used, link)) last = std::max(last, at);
    return last;
  }
  // Books links until a time that is not before they are free.
  void book(const UsedLinks& used, Stamp until) {
    if (used.empty()) {
      all_ = until;
      later_.clear();
      return;
    }
    for (const std::uint32_t link : used) {
      const auto place = std::ranges::lower_bound(later_, link, {}, &Later::first);
      if (place != later_.end() && place->first == link)
        place->second = until;
      else
        later_.insert(place, {link, until});
    }
  }

 private:
  using Later = std::pair<std::uint32_t, Stamp>;

  Stamp all_ = 0;             // when all links are free that are not listed
  std::vector<Later> later_;  // links that are free at other times, ascending
};

}  // namespace orrery
