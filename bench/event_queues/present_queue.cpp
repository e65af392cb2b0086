// The product's queue under the name that the stand-in of its header gives it.
#include "events/event_queue.hpp"

#define EventQueue PresentQueue
#include "../../src/events/event_queue.cpp"
