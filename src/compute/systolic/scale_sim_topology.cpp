#include "compute/systolic/scale_sim_topology.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "base/text/text_lines.hpp"
#include "compute/systolic/checked_count.hpp"

namespace orrery::core {
namespace {

constexpr std::size_t gemm_cells = 4, convolution_cells = 8;  // stride_w may follow
constexpr std::uint64_t largest = std::uint64_t{1} << 32;

class TopologyReader {
 public:
  TopologyReader(const std::string& file, Warnings& warnings) : file_(file), warnings_(warnings) {}

  std::vector<TopologyLayer> read(std::string_view text) const {
    std::vector<TopologyLayer> layers;
    for (const Token& line : layer_lines_of(text, file_, warnings_)) layers.push_back(read_layer(line));
    return layers;
  }

 private:
  SourceLocation where(const Token& token) const { return {file_, token.line, token.column}; }

  TopologyLayer read_layer(const Token& line) const {
    TopologyLayer layer;
    std::vector<Token> all = cells_of(line);
    take_sparsity(all, layer);
    const std::vector<Token> cells = values_of(line, std::move(all));
    layer.name = cells[0].text;
    layer.where = where(cells[0]);
    if (layer.name.empty())
      throw InputError(layer.where, "the layer has no name, write one before the first comma");
    layer.operation = cells.size() == gemm_cells
                          ? systolic_operation(gemm(cells), layer.where)
                          : systolic_operation(convolution(cells), LastWindow::hangs_over, layer.where);
    return layer;
  }

  // Takes the ratio behind the last size out of a line, if there is one. An empty cell there, between two
  // commas, says that nothing is left out.
  void take_sparsity(std::vector<Token>& cells, TopologyLayer& layer) const {
    for (const std::size_t place : {gemm_cells, convolution_cells, convolution_cells + 1}) {
      if (place >= cells.size()) return;
      const Token cell = cells[place];
      if (cell.text.empty() && place + 2 == cells.size() && cells.back().text.empty()) {
        cells.pop_back();
        return;
      }
      const std::size_t colon = cell.text.find(':');
      if (colon == cell.text.npos) continue;
      const auto kept = parse_unsigned(cell.text.substr(0, colon));
      const auto block = parse_unsigned(cell.text.substr(colon + 1));
      if (!kept || !block) continue;
      if (*kept == 0 || *kept > *block || *block > largest)
        throw InputError(where(cell),
                         fmt::format("`{}` is no sparsity of weights: of M rows, N are kept as N:M, "
                                     "with N from 1 to M",
                                     cell.text));
      layer.sparsity = {*kept, *block};
      layer.sparsity_where = where(cell);
      if (place + 1 == cells.size())
        warnings_.add(where(cell), "SCALE-Sim drops what no comma follows; here the sparsity counts");
      cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(place));
      return;
    }
  }

  // Returns the values of a line without what the original drops at its end.
  std::vector<Token> values_of(const Token& line, std::vector<Token> cells) const {
    const auto complete = [](std::size_t count) {
      return count == gemm_cells || count == convolution_cells || count == convolution_cells + 1;
    };
    const std::size_t count = cells.size();
    if (complete(count - 1) && !(complete(count) && parse_unsigned(cells.back().text))) {
      if (!cells.back().text.empty())
        warnings_.add(where(cells.back()), "what stands behind the last comma is ignored");
      cells.pop_back();
    }
    if (complete(cells.size())) return cells;
    throw InputError(
        where(trimmed(line)),
        "a layer has 4 values (name, M, N, K) or 8 to 9 (name, ifmap_h, ifmap_w, filter_h, filter_w, "
        "channels, num_filters, stride_h, stride_w), not " +
            std::to_string(cells.back().text.empty() ? count - 1 : count));
  }

  std::uint64_t number(const Token& cell, const char* what) const {
    return whole_number(cell, file_, what, 1, largest);
  }

  Gemm gemm(const std::vector<Token>& cells) const {
    return {number(cells[1], "M"), number(cells[2], "N"), number(cells[3], "K"), 1};
  }

  Convolution convolution(const std::vector<Token>& cells) const {
    Convolution c;
    c.height = number(cells[1], "ifmap_h");
    c.width = number(cells[2], "ifmap_w");
    c.filter_height = number(cells[3], "filter_h");
    c.filter_width = number(cells[4], "filter_w");
    c.channels = number(cells[5], "channels");
    c.filters = number(cells[6], "num_filters");
    c.stride_height = number(cells[7], "stride_h");
    c.stride_width = cells.size() > convolution_cells ? number(cells[8], "stride_w") : c.stride_height;
    if (cells[0].text.find("DP") != std::string_view::npos) {
      c.groups = c.channels;
      c.filters = checked_product({c.filters, c.channels}, where(cells[0]));
    }
    return c;
  }

  const std::string& file_;
  Warnings& warnings_;
};

}  // namespace

std::vector<TopologyLayer> read_scale_sim_topology(std::string_view text, const std::string& file,
                                                   Warnings& warnings) {
  return TopologyReader(file, warnings).read(text);
}

}  // namespace orrery::core
