// Interface of whatever carries out the collectives of a program.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/plan/plan.hpp"
#include "events/clock.hpp"

namespace orrery::core {

// A collective that cannot run. The text follows the name of the operation, as in "is an all-gather of ...".
class CollectiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Says what comes of a collective that a rank has joined.
enum class Issued : std::uint8_t {
  later,         // the listener hears of it when it is complete
  nothing_to_do  // nobody else takes part, so that nothing will happen
};

class CollectiveBackend {
 public:
  virtual ~CollectiveBackend() = default;

  // The rank that is simulated for a class joins its next collective. After `later` the listener hears of
  // `token` when the collective is complete, which may be before this returns. `at` is the present. If an
  // issuer looks ahead (simulate/dataflow_issuer.hpp), it can lie ahead of the present: then the rank is
  // known to join at that time. Throws InputError, and CollectiveError when the collective itself is at
  // fault.
  [[nodiscard]] virtual Issued issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                                     Stamp at) = 0;

  // Something that a collective waits for, as a rank sees it, for the report of a stalled run. waiting()
  // returns causes first.
  struct Waiting {
    ClassId of_class;
    std::uint32_t token;  // token of the collective
    std::string text;
  };
  virtual std::vector<Waiting> waiting() const = 0;
};

class CollectiveListener {
 public:
  // The collective issued with `token` is complete on the rank that is simulated for a class.
  virtual void collective_completed(ClassId of_class, std::uint32_t token) = 0;
  // Called instead for classes that complete it in the same instant. The span stays valid.
  virtual void collective_completed_together(std::span<const ClassId> classes, std::uint32_t token) {
    for (const ClassId of_class : classes) collective_completed(of_class, token);
  }

 protected:
  ~CollectiveListener() = default;
};

}  // namespace orrery::core
