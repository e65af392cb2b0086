// Texts of MSCCL's format: rings among n GPUs, and all-to-alls, in place.
#pragma once

#include <fmt/format.h>

#include <string>

namespace orrery::core::test {

inline std::string written_step(int number, const char* type, const char* buffer, int chunk) {
  return fmt::format(
      "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"1\" "
      "depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n",
      number, type, buffer, chunk, buffer, chunk);
}

// `coll` is allreduce, allgather or reducescatter. Each of the channels has a ring with its part of the
// bytes.
inline std::string written_ring(const std::string& coll, int n, int channels = 1) {
  const bool gathers = coll != "reducescatter", reduces = coll != "allgather";
  const char* const buffer = reduces ? "i" : "o";
  const int chunks = n * channels;
  std::string text = fmt::format(
      "<algo name=\"ring\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" "
      "coll=\"{}\" inplace=\"1\">\n",
      channels, chunks, n, coll);
  for (int gpu = 0; gpu < n; ++gpu) {
    text += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"0\">\n", gpu,
                        reduces ? chunks : channels, gathers ? chunks : channels);
    for (int channel = 0; channel < channels; ++channel) {
      text += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", channel, (gpu + 1) % n,
                          (gpu + n - 1) % n, channel);
      // In round r, chunk gpu - r is received. Chunks before the last one of a reduction are passed on as
      // sums.
      const int first = reduces ? (gpu + n - 1) % n : gpu;
      const auto chunk = [&](int round) { return (first - round + 2 * n) % n * channels + channel; };
      text += written_step(0, "s", buffer, chunk(0));
      const int rounds = reduces && gathers ? 2 * (n - 1) : n - 1;
      for (int round = 1; round <= rounds; ++round) {
        const bool last = round == rounds;
        const char* type = last ? "r" : "rcs";
        if (reduces && round < n - 1) type = "rrs";
        if (reduces && round == n - 1) type = last ? "rrc" : "rrcs";
        text += written_step(round, type, buffer, chunk(round));
      }
      text += "    </tb>\n";
    }
    text += "  </gpu>\n";
  }
  return text + "</algo>\n";
}

// An all-to-all in which each GPU has a thread block for every other one. What arrives waits in the scratch
// buffer until the chunk in its place has been sent.
inline std::string written_exchange(int n) {
  std::string text = fmt::format(
      "<algo name=\"exchange\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" ngpus=\"{}\" "
      "coll=\"alltoall\" inplace=\"1\">\n",
      n, n);
  for (int gpu = 0; gpu < n; ++gpu) {
    text += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", gpu, n, n, n);
    for (int block = 0; block + 1 < n; ++block) {
      const int peer = (gpu + block + 1) % n;
      text += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", block, peer, peer);
      text += written_step(0, "s", "i", peer) + written_step(1, "r", "s", peer) +
              fmt::format(
                  "      <step s=\"2\" type=\"cpy\" srcbuf=\"s\" srcoff=\"{}\" dstbuf=\"o\" "
                  "dstoff=\"{}\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n    </tb>\n",
                  peer, peer);
    }
    text += "  </gpu>\n";
  }
  return text + "</algo>\n";
}

}  // namespace orrery::core::test
