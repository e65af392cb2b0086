// An event. It is plain data that its handler understands.
#pragma once

#include <cstdint>

namespace orrery::core {

struct Event {
  std::uint16_t handler = 0;  // as registered with the EventLoop
  std::uint16_t what = 0;     // the handler defines what this and the rest mean
  std::uint32_t rank = 0;     // or another number, like the next two
  std::uint32_t object = 0;
  std::uint32_t extra = 0;
};

}  // namespace orrery::core
