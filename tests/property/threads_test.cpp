// Simulations share nothing: run side by side they give the results they give alone. (Built with the thread
// sanitizer by ./dev test.)
#include <gtest/gtest.h>

#include <thread>

#include "study/run/run.hpp"
#include "support/random_run.hpp"

namespace orrery::core::test::threads_test {
namespace {

struct Fingerprint {
  std::vector<Time> finish;
  std::vector<Bytes> payload;
  std::uint64_t messages = 0, events = 0;
  bool operator==(const Fingerprint&) const = default;
};

Fingerprint fingerprint(const RunSpec& spec) {
  Warnings warnings;
  const Recording recording = carry_out(spec, warnings).recording;
  return {recording.finish, recording.phases_of(0)->payload, recording.messages, recording.events};
}

TEST(Threads, TwoDifferentSimulationsAtOnceGiveTheirOwnResultsThread) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RunSpec first = random_run(seed, astra_sim_1_dialect),
                  second = random_run(seed + 1000, native_dialect);
    const Fingerprint first_alone = fingerprint(first), second_alone = fingerprint(second);
    Fingerprint first_together, second_together;
    std::thread other([&] { second_together = fingerprint(second); });
    first_together = fingerprint(first);
    other.join();
    EXPECT_EQ(first_together, first_alone) << describe(first);
    EXPECT_EQ(second_together, second_alone) << describe(second);
  }
}

}  // namespace
}  // namespace orrery::core::test::threads_test
