#include "base/text/quantity.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::quantity_test {
namespace {

const SourceLocation here{"x.yaml", 3, 7};

std::int64_t ps(const char* text) {
  return parse_time(text, here).ps();
}
std::uint64_t bytes(const char* text) {
  return parse_bytes(text, here).count();
}
double gb(const char* text) {
  return parse_bandwidth(text, here).bytes_per_ns();
}
double gib(const char* text) {
  return parse_bandwidth(text, here).gib_per_s();
}
double flops(const char* text) {
  return parse_flops(text, here);
}

template <class Parse>
std::string error_of(Parse parse, const std::string& text) {
  try {
    parse(text, here);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Quantity, time_units) {
  EXPECT_EQ(ps("7 ps"), 7);
  EXPECT_EQ(ps("7 ns"), 7'000);
  EXPECT_EQ(ps("7 us"), 7'000'000);
  EXPECT_EQ(ps("7 ms"), 7'000'000'000);
  EXPECT_EQ(ps("7 s"), 7'000'000'000'000);
  EXPECT_EQ(ps("7 min"), 420'000'000'000'000);
  EXPECT_EQ(ps("7 h"), 25'200'000'000'000'000);
}

TEST(Quantity, times_are_exact_to_the_picosecond) {
  EXPECT_EQ(ps("1.5 us"), 1'500'000);
  EXPECT_EQ(ps("500.6ns"), 500'600);
  EXPECT_EQ(ps(" +0.001 ns "), 1);
  EXPECT_EQ(ps(".5 ns"), 500);
  EXPECT_EQ(ps("1e3 ns"), 1'000'000);
  EXPECT_EQ(ps("25E-1 ns"), 2'500);
  EXPECT_EQ(ps("1.0004 ns"), 1'000);
  EXPECT_EQ(ps("1.0005 ns"), 1'001);
  EXPECT_EQ(ps("0.7 ps"), 1);
  EXPECT_EQ(ps("0 ns"), 0);
  EXPECT_EQ(ps("0e9999 h"), 0);
  EXPECT_EQ(ps("2591999.999999999999 s"), 2'591'999'999'999'999'999);  // a double would round it up
  EXPECT_EQ(ps("720 h"), Time::longest_input().ps());
}

TEST(Quantity, size_units) {
  EXPECT_EQ(bytes("3 B"), 3u);
  EXPECT_EQ(bytes("3 KB"), 3'000u);
  EXPECT_EQ(bytes("3 MB"), 3'000'000u);
  EXPECT_EQ(bytes("3 GB"), 3'000'000'000u);
  EXPECT_EQ(bytes("3 TB"), 3'000'000'000'000u);
  EXPECT_EQ(bytes("3 PB"), 3'000'000'000'000'000u);
  EXPECT_EQ(bytes("3 KiB"), 3u << 10);
  EXPECT_EQ(bytes("3 MiB"), 3u << 20);
  EXPECT_EQ(bytes("3 GiB"), 3ull << 30);
  EXPECT_EQ(bytes("3 TiB"), 3ull << 40);
  EXPECT_EQ(bytes("3 PiB"), 3ull << 50);
  EXPECT_EQ(bytes("1.5KiB"), 1536u);
  EXPECT_EQ(bytes("1.1 KiB"), 1126u);  // 1126.4
  EXPECT_EQ(bytes("9007199254740991 B"), 9'007'199'254'740'991u);
  EXPECT_EQ(bytes("8 PiB"), largest_size.count());
}

TEST(Quantity, bandwidth_units) {
  EXPECT_EQ(gb("25 GB/s"), 25.0);
  EXPECT_EQ(gb("5 KB/s"), 5e-6);
  EXPECT_EQ(gb("5 MB/s"), 0.005);
  EXPECT_EQ(gb("5 TB/s"), 5000.0);
  EXPECT_EQ(gb("5 PB/s"), 5e6);
  EXPECT_EQ(gib("6.25 GiB/s"), 6.25);
  EXPECT_EQ(gib("2 KiB/s"), 2.0 / 1024 / 1024);
  EXPECT_EQ(gib("2 MiB/s"), 2.0 / 1024);
  EXPECT_EQ(gib("2 TiB/s"), 2048.0);
  EXPECT_EQ(gib("2 PiB/s"), 2097152.0);
  EXPECT_EQ(gb("800 Kbit/s"), 1e-4);
  EXPECT_EQ(gb("800 Mbit/s"), 0.1);
  EXPECT_EQ(gb("400 Gbit/s"), 50.0);
  EXPECT_EQ(gb("1.6 Tbit/s"), 200.0);
  EXPECT_EQ(gb("1 Pbit/s"), 125e3);
  EXPECT_EQ(gb("800 Kbps"), 1e-4);
  EXPECT_EQ(gb("800 Mbps"), 0.1);
  EXPECT_EQ(gb("400 Gbps"), 50.0);
  EXPECT_EQ(gb("800 Kb/s"), 1e-4);
  EXPECT_EQ(gb("800 Mb/s"), 0.1);
  EXPECT_EQ(gb("400 Gb/s"), 50.0);
  EXPECT_EQ(gb("1.6 Tb/s"), 200.0);
  EXPECT_EQ(gb("1 Pb/s"), 125e3);
  EXPECT_EQ(gb("1.6 Tbps"), 200.0);
  EXPECT_EQ(gb("1 Pbps"), 125e3);
}

TEST(Quantity, compute_rates) {
  EXPECT_EQ(flops("7 FLOP/s"), 7.0);
  EXPECT_EQ(flops("7 KFLOP/s"), 7e3);
  EXPECT_EQ(flops("7 MFLOP/s"), 7e6);
  EXPECT_EQ(flops("7 GFLOP/s"), 7e9);
  EXPECT_EQ(flops("312 TFLOP/s"), 312e12);
  EXPECT_EQ(flops("312 TFLOPS"), 312e12);
  EXPECT_EQ(flops("7 PFLOP/s"), 7e15);
  EXPECT_EQ(flops("7 EFLOP/s"), 7e18);
  EXPECT_EQ(flops("7 KiFLOP/s"), 7 * 0x1p10);
  EXPECT_EQ(flops("7 MiFLOP/s"), 7 * 0x1p20);
  EXPECT_EQ(flops("7 GiFLOPS"), 7 * 0x1p30);
  EXPECT_EQ(flops("46 TiFLOP/s"), 46 * 0x1p40);
  EXPECT_EQ(flops("7 PiFLOP/s"), 7 * 0x1p50);
  EXPECT_EQ(flops("7 EiFLOP/s"), 7 * 0x1p60);
}

TEST(Quantity, a_number_without_unit_says_what_to_write) {
  EXPECT_EQ(
      error_of(parse_time, "500"),
      "x.yaml:3:7: error: `500` has no unit; write a time such as `500 ns`, in ps, ns, us, ms, s, min or h");
  EXPECT_NE(error_of(parse_bytes, "500").find("`16 MiB`"), std::string::npos);
  EXPECT_NE(error_of(parse_bandwidth, "500").find("`25 GB/s`"), std::string::npos);
  EXPECT_NE(error_of(parse_flops, "500").find("`312 TFLOP/s`"), std::string::npos);
}

TEST(Quantity, bad_quantities_are_refused) {
  const struct {
    const char *text, *says;
  } times[] = {{"-5 ns", "is negative"},          {"nan ns", "begin with a number"},
               {"inf ns", "begin with a number"}, {"", "begin with a number"},
               {"ns", "begin with a number"},     {"5 sec", "is not a time"},
               {"5 NS", "is not a time"},         {"1.2.3 ns", "is not a number"},
               {". ns", "is not a number"},       {"5 n s", "is not a time"},
               {"1e ns", "is not a time"},        {"e5 ns", "does not begin with a number"},
               {"0.0007 ps", "too small"},        {"721 h", "more than 720 h"},
               {"1e30 s", "more than"},           {"1e99999999999 s", "is not a number"},
               {"1e-9000 s", "too small"},        {"99999999999999999999 ps", "is not a number"}};
  for (const auto& [text, says] : times)
    EXPECT_NE(error_of(parse_time, text).find(says), std::string::npos)
        << text << ": " << error_of(parse_time, text);

  EXPECT_NE(error_of(parse_bytes, "5 GiB/s").find("is not a size"), std::string::npos);
  EXPECT_NE(error_of(parse_bytes, "5 gb").find("is not a size"), std::string::npos);
  EXPECT_NE(error_of(parse_bytes, "9 PiB").find("more than 8 PiB"), std::string::npos);
  EXPECT_NE(error_of(parse_bytes, "0.1 B").find("too small"), std::string::npos);
  EXPECT_NE(error_of(parse_bandwidth, "0 GB/s").find("above zero"), std::string::npos);
  EXPECT_NE(error_of(parse_bandwidth, "5 GB").find("is not a bandwidth"), std::string::npos);
  EXPECT_NE(error_of(parse_bandwidth, "1e300 GB/s").find("out of range"), std::string::npos);
  EXPECT_NE(error_of(parse_bandwidth, "1e999 GB/s").find("out of range"), std::string::npos);
  EXPECT_NE(error_of(parse_bandwidth, "1.2.3 GB/s").find("is not a number"), std::string::npos);
  EXPECT_NE(error_of(parse_flops, "5 T").find("is not a compute rate"), std::string::npos);
  EXPECT_NE(error_of(parse_flops, "5 XFLOP/s").find("is not a compute rate"), std::string::npos);
  EXPECT_NE(error_of(parse_flops, "0 TFLOP/s").find("above zero"), std::string::npos);
  EXPECT_NE(error_of(parse_flops, "1e300 TFLOP/s").find("out of range"), std::string::npos);
}

TEST(Quantity, can_be_asked_for_without_an_error) {
  EXPECT_EQ(time_in("500 ns"), Time::from_ns(500));
  EXPECT_EQ(bytes_in("16 MiB"), Bytes(16 << 20));
  EXPECT_EQ(flops_in("2 TFLOP/s"), 2e12);
  EXPECT_EQ(frequency_in("1 GHz"), 1e9);
  EXPECT_TRUE(bandwidth_in("25 GB/s"));
  for (const char* text : {"", "500", "5 parsecs", "-1 ns", "721 h", "1e-9 ps"})
    EXPECT_FALSE(time_in(text)) << text;
  EXPECT_FALSE(bytes_in("25 GB/s"));
  EXPECT_FALSE(bandwidth_in("0 GB/s"));
  EXPECT_FALSE(flops_in("2 TFLOP"));
  EXPECT_FALSE(frequency_in("1 ns"));
}

TEST(Quantity, frequencies) {
  EXPECT_EQ(parse_frequency("700 MHz", {}), 700e6);
  EXPECT_EQ(parse_frequency("1.5GHz", {}), 1.5e9);
  EXPECT_EQ(parse_frequency("32 kHz", {}), 32e3);
  EXPECT_EQ(parse_frequency("5 Hz", {}), 5);
  EXPECT_NE(error_of(parse_frequency, "5").find("`1 GHz`"), std::string::npos);
  EXPECT_NE(error_of(parse_frequency, "5 ghz").find("is not a frequency"), std::string::npos);
  EXPECT_NE(error_of(parse_frequency, "0 Hz").find("above zero"), std::string::npos);
  EXPECT_NE(error_of(parse_frequency, "1e9 GHz").find("out of range"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::quantity_test
