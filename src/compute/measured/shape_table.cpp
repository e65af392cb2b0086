#include "compute/measured/shape_table.hpp"

namespace orrery::core {
namespace {

constexpr std::int64_t largest_extent = std::int64_t{1} << 40;

template <std::uint64_t Gemm::*member>
constexpr auto extent(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return key::integer<&ShapeRow::gemm, member>(name, 1, largest_extent, fallback, meaning);
}

constexpr Key<ShapeRow> shape_keys[] = {
    extent<&Gemm::m>("m", "required", "as `--m`"),
    extent<&Gemm::n>("n", "required", "as `--n`"),
    extent<&Gemm::k>("k", "required", "as `--k`"),
    extent<&Gemm::batch>("batch", "1", "as `--batch`"),
    key::word<datatype_words, &ShapeRow::type>("datatype", "that of `--dtype`",
                                               "number format of the operands"),
    key::measured_us<&ShapeRow::seconds>("time_us"),
    key::ignored("source", "a remark"),
};

}  // namespace

std::vector<ShapeRow> read_shape_table(std::string_view text, const std::string& file) {
  return read_csv_rows<ShapeRow>(text, file, "shapes", shape_keys);
}

std::vector<KeyPath> shape_table_columns() {
  return key_paths("", shape_keys);
}

}  // namespace orrery::core
