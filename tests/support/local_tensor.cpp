#include "support/local_tensor.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace orrery::core::test {
namespace {

constexpr std::uint64_t prime = 1'000'000'007;
std::size_t size_of(const std::vector<Indices>& held) {
  return std::accumulate(held.begin(), held.end(), std::size_t{1},
                         [](std::size_t n, const Indices& indices) { return n * indices.size(); });
}

std::uint64_t hashed(const std::string& name, const std::vector<std::uint32_t>& at) {
  std::uint64_t hash = 1469598103934665603ull;
  const auto add = [&](std::uint64_t byte) { hash = (hash ^ byte) * 1099511628211ull; };
  for (const char c : name) add(static_cast<unsigned char>(c));
  for (const std::uint32_t i : at) add(i + 257);
  return (hash >> 20) % prime;
}

}  // namespace

std::size_t Local::position(Dim dim) const {
  return static_cast<std::size_t>(std::find(dims.begin(), dims.end(), dim) - dims.begin());
}

void require(bool good, const std::string& what) {
  if (!good) throw std::logic_error(what);
}

void for_each(const std::vector<Indices>& held,
              const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> at(held.size());
  const std::size_t count = size_of(held);
  for (std::size_t i = 0; i < count; ++i) {
    visit(at);
    for (std::size_t d = held.size(); d-- > 0;) {
      if (++at[d] < held[d].size()) break;
      at[d] = 0;
    }
  }
}

Local hashed_tensor(const std::string& name, const std::vector<Dim>& dims, std::vector<Indices> held) {
  Local local{dims, std::move(held), {}};
  for_each(local.held, [&](const std::vector<std::size_t>& at) {
    std::vector<std::uint32_t> element;
    for (std::size_t d = 0; d < at.size(); ++d) element.push_back(local.held[d][at[d]]);
    local.values.push_back(hashed(name, element));
  });
  return local;
}

Local contracted(const std::vector<Dim>& result, const std::vector<const Local*>& operands,
                 const std::function<Indices(Dim)>& others) {
  std::vector<Dim> dims = result;
  for (const Local* operand : operands)
    for (const Dim dim : operand->dims)
      if (std::find(dims.begin(), dims.end(), dim) == dims.end()) dims.push_back(dim);
  std::vector<Indices> held;
  for (const Dim dim : dims) {
    const Indices* known = nullptr;
    for (const Local* operand : operands) {
      if (!operand->has(dim)) continue;
      const Indices& own = operand->held[operand->position(dim)];
      require(!known || *known == own, "operands hold different elements of a dimension");
      known = &own;
    }
    held.push_back(known ? *known : others(dim));
  }
  const auto strides_of = [&](const Local& local) {
    std::vector<std::size_t> strides(dims.size(), 0);
    std::size_t stride = 1;
    for (std::size_t d = local.dims.size(); d-- > 0; stride *= local.held[d].size())
      strides[static_cast<std::size_t>(std::find(dims.begin(), dims.end(), local.dims[d]) - dims.begin())] =
          stride;
    return strides;
  };
  Local sum{result, {held.begin(), held.begin() + static_cast<std::ptrdiff_t>(result.size())}, {}};
  sum.values.assign(size_of(sum.held), 0);
  std::vector<std::vector<std::size_t>> strides{strides_of(sum)};
  for (const Local* operand : operands) strides.push_back(strides_of(*operand));
  const auto place = [&](std::size_t which, const std::vector<std::size_t>& at) {
    return std::inner_product(at.begin(), at.end(), strides[which].begin(), std::size_t{0});
  };
  for_each(held, [&](const std::vector<std::size_t>& at) {
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < operands.size(); ++i)
      product = product * operands[i]->values[place(i + 1, at)] % prime;
    std::uint64_t& cell = sum.values[place(0, at)];
    cell = (cell + product) % prime;
  });
  return sum;
}

namespace {

Local combined(const Local& a, const Local& b,
               const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& f) {
  require(a.dims == b.dims && a.held == b.held, "tensors of different elements");
  Local result = a;
  for (std::size_t i = 0; i < a.values.size(); ++i) result.values[i] = f(a.values[i], b.values[i]) % prime;
  return result;
}

}  // namespace

Local added(const Local& a, const Local& b) {
  return combined(a, b, [](std::uint64_t x, std::uint64_t y) { return x + y; });
}
Local multiplied(const Local& a, const Local& b) {
  return combined(a, b, [](std::uint64_t x, std::uint64_t y) { return x * y; });
}

Indices part_of(const Indices& all, std::size_t parts, std::size_t which) {
  require(all.size() % parts == 0, "a dimension cannot be cut evenly");
  const auto size = static_cast<std::ptrdiff_t>(all.size() / parts),
             begin = static_cast<std::ptrdiff_t>(which) * size;
  return {all.begin() + begin, all.begin() + begin + size};
}

Local selected(const Local& whole, const std::vector<Indices>& held) {
  Local part{whole.dims, held, {}};
  std::vector<std::map<std::uint32_t, std::size_t>> places(whole.held.size());
  for (std::size_t d = 0; d < places.size(); ++d)
    for (std::size_t i = 0; i < whole.held[d].size(); ++i) places[d][whole.held[d][i]] = i;
  for_each(held, [&](const std::vector<std::size_t>& at) {
    std::size_t place = 0;
    for (std::size_t d = 0; d < at.size(); ++d)
      place = place * whole.held[d].size() + places[d].at(held[d][at[d]]);
    part.values.push_back(whole.values[place]);
  });
  return part;
}

Local joined(const Local& a, const Local& b, Dim dim) {
  Local result{a.dims, a.held, {}};
  const std::size_t d = a.position(dim);
  result.held[d].insert(result.held[d].end(), b.held[d].begin(), b.held[d].end());
  for_each(result.held, [&](const std::vector<std::size_t>& at) {
    const bool in_a = at[d] < a.held[d].size();
    const Local& from = in_a ? a : b;
    std::size_t place = 0;
    for (std::size_t k = 0; k < at.size(); ++k)
      place = place * from.held[k].size() + (k == d && !in_a ? at[k] - a.held[d].size() : at[k]);
    result.values.push_back(from.values[place]);
  });
  return result;
}

}  // namespace orrery::core::test
