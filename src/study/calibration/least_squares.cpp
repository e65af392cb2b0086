#include "study/calibration/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace orrery::core {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

constexpr int most_iterations = 20;
constexpr double least_fall = 1e-3;  // share by which the sum of squares may still fall at the end
constexpr double first_damping = 1e-3;
constexpr double most_damping = 1e3;   // beyond which steps are too short to matter
constexpr double least_pivot = 1e-10;  // share of a column that the columns before it leave of it

double sum_of_squares(const Vector& vector) {
  double sum = 0;
  for (const double element : vector) sum += element * element;
  return sum;
}

// The normal equations of the model that is linear at a place.
struct NormalEquations {
  Matrix products;   // of the columns of derivatives with one another
  Vector gradients;  // their products with the residuals
};

// `columns` are the derivatives of all residuals, one column for each value.
NormalEquations normal_equations(const Matrix& columns, const Vector& residuals) {
  const std::size_t size = columns.size();
  NormalEquations equations{Matrix(size, Vector(size, 0)), Vector(size, 0)};
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t row = 0; row < residuals.size(); ++row) {
      equations.gradients[i] += columns[i][row] * residuals[row];
      for (std::size_t j = 0; j < size; ++j) equations.products[i][j] += columns[i][row] * columns[j][row];
    }
  return equations;
}

// The triangle L of a matrix L L^T. A column that depends on those before it has a pivot of 0.
Matrix cholesky(const Matrix& matrix) {
  const std::size_t size = matrix.size();
  Matrix triangle(size, Vector(size, 0));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= triangle[i][k] * triangle[j][k];
      if (i == j)
        triangle[i][i] = rest > least_pivot * matrix[i][i] ? std::sqrt(rest) : 0;
      else
        triangle[i][j] = triangle[j][j] > 0 ? rest / triangle[j][j] : 0;
    }
  return triangle;
}

// Solves L L^T x = right. Elements of columns that depend on others are 0.
Vector solved(const Matrix& triangle, Vector right) {
  const std::size_t size = right.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= triangle[i][k] * right[k];
    right[i] = triangle[i][i] > 0 ? right[i] / triangle[i][i] : 0;
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) right[i] -= triangle[k][i] * right[k];
    right[i] = triangle[i][i] > 0 ? right[i] / triangle[i][i] : 0;
  }
  return right;
}

class Minimum {
 public:
  Minimum(const Residuals& residuals, Vector start, const std::vector<Bounds>& bounds, double step)
      : model_(residuals), bounds_(bounds), step_(step), values_(within(std::move(start))) {
    residuals_ = model_(values_);
  }

  // Derivatives cost a simulation for each value, so steps correct them by what they have found as long as
  // that leads on.
  LeastSquaresFit find() {
    columns_ = derivatives();
    bool are_exact = true;
    for (int i = 0; i < most_iterations; ++i) {
      const Vector values = values_, residuals = residuals_;
      const double before = sum_of_squares(residuals);
      if (descend() && before - sum_of_squares(residuals_) > least_fall * before) {
        correct_derivatives(values, residuals);
        are_exact = false;
      } else if (are_exact) {
        break;
      } else {
        columns_ = derivatives();
        damping_ = first_damping;
        are_exact = true;
      }
    }
    if (!are_exact) columns_ = derivatives();
    const NormalEquations equations = normal_equations(columns_, residuals_);
    return {values_, errors_by(equations), residuals_, left_out_by(equations)};
  }

 private:
  Vector within(Vector values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::clamp(values[i], bounds_[i].least, bounds_[i].most);
    return values;
  }

  Matrix derivatives() const {
    Matrix columns;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Vector moved = values_;
      const double step = moved[i] + step_ > bounds_[i].most ? -step_ : step_;
      moved[i] += step;
      Vector& column = columns.emplace_back(model_(moved));
      for (std::size_t row = 0; row < column.size(); ++row)
        column[row] = (column[row] - residuals_[row]) / step;
    }
    return columns;
  }

  // Changes the derivatives as little as explains what a step from there to here has found (Broyden, "A class
  // of methods for solving nonlinear simultaneous equations", 1965).
  void correct_derivatives(const Vector& values, const Vector& residuals) {
    Vector way(values.size());
    for (std::size_t i = 0; i < way.size(); ++i) way[i] = values_[i] - values[i];
    const double square = sum_of_squares(way);
    for (std::size_t row = 0; row < residuals.size(); ++row) {
      double unexplained = residuals_[row] - residuals[row];
      for (std::size_t i = 0; i < way.size(); ++i) unexplained -= columns_[i][row] * way[i];
      for (std::size_t i = 0; i < way.size(); ++i) columns_[i][row] += unexplained * way[i] / square;
    }
  }

  // Returns whether the sum of squares falls by more than is left to win, if the derivatives are right.
  bool promises_much(const Vector& there) const {
    Vector residuals = residuals_;
    for (std::size_t i = 0; i < there.size(); ++i)
      for (std::size_t row = 0; row < residuals.size(); ++row)
        residuals[row] += columns_[i][row] * (there[i] - values_[i]);
    const double now = sum_of_squares(residuals_);
    return now - sum_of_squares(residuals) > least_fall * now;
  }

  // Goes to a better place, and returns whether there is one in the direction of the derivatives.
  bool descend() {
    const NormalEquations equations = normal_equations(columns_, residuals_);
    for (; damping_ < most_damping; damping_ *= 10) {
      Matrix damped = equations.products;
      for (std::size_t i = 0; i < damped.size(); ++i) damped[i][i] *= 1 + damping_;
      const Vector way = solved(cholesky(damped), equations.gradients);
      Vector there = values_;
      for (std::size_t i = 0; i < there.size(); ++i) there[i] -= way[i];
      there = within(std::move(there));
      if (!promises_much(there)) return false;
      const Vector residuals = model_(there);
      if (!(sum_of_squares(residuals) < sum_of_squares(residuals_))) continue;
      values_ = there;
      residuals_ = residuals;
      damping_ = std::max(damping_ / 10, 1e-6);
      return true;
    }
    return false;
  }

  Vector errors_by(const NormalEquations& equations) const {
    const std::size_t size = values_.size();
    Vector errors(size, std::numeric_limits<double>::infinity());
    if (residuals_.size() <= size) return errors;
    const double variance = sum_of_squares(residuals_) / static_cast<double>(residuals_.size() - size);
    const Matrix triangle = cholesky(equations.products);
    for (std::size_t i = 0; i < size; ++i) {
      if (triangle[i][i] == 0) continue;
      Vector unit(size, 0);
      unit[i] = 1;
      errors[i] = std::sqrt(variance * solved(triangle, std::move(unit))[i]);
    }
    return errors;
  }

  // A residual that its measurement has a share h in is r / (1 - h) without it.
  double left_out_by(const NormalEquations& equations) const {
    const std::size_t size = values_.size();
    const Matrix triangle = cholesky(equations.products);
    double sum = 0;
    for (std::size_t row = 0; row < residuals_.size(); ++row) {
      Vector of_row(size);
      for (std::size_t i = 0; i < size; ++i) of_row[i] = columns_[i][row];
      const Vector weights = solved(triangle, of_row);
      double share = 0;
      for (std::size_t i = 0; i < size; ++i) share += of_row[i] * weights[i];
      if (!(share < 1)) return std::numeric_limits<double>::infinity();
      sum += residuals_[row] * residuals_[row] / ((1 - share) * (1 - share));
    }
    return sum / static_cast<double>(residuals_.size());
  }

  const Residuals& model_;
  const std::vector<Bounds>& bounds_;
  double step_, damping_ = first_damping;
  Vector values_, residuals_;
  Matrix columns_;  // derivatives of all residuals, one column for each value
};

}  // namespace

LeastSquaresFit least_squares(const Residuals& residuals, std::vector<double> start,
                              const std::vector<Bounds>& bounds, double step) {
  return Minimum(residuals, std::move(start), bounds, step).find();
}

}  // namespace orrery::core
