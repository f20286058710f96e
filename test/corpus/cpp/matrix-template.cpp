// A matrix class with expression templates, fixed sizes and constexpr, over several element types.
#include <array>
#include <complex>
#include <concepts>
#include <iostream>
#include <utility>

template <class T, size_t R, size_t C> struct Matrix {
  std::array<T, R * C> v{};
  constexpr T &operator()(size_t r, size_t c) { return v[r * C + c]; }
  constexpr const T &operator()(size_t r, size_t c) const { return v[r * C + c]; }
  static constexpr Matrix identity() requires(R == C) { Matrix m; for (size_t i = 0; i < R; i++) m(i, i) = T(1); return m; }
  template <size_t K> constexpr Matrix<T, R, K> operator*(const Matrix<T, C, K> &o) const {
    Matrix<T, R, K> m;
    for (size_t i = 0; i < R; i++) for (size_t j = 0; j < K; j++) for (size_t k = 0; k < C; k++) m(i, j) += (*this)(i, k) * o(k, j);
    return m;
  }
  constexpr Matrix operator+(const Matrix &o) const { Matrix m = *this; for (size_t i = 0; i < R * C; i++) m.v[i] += o.v[i]; return m; }
  constexpr bool operator==(const Matrix &) const = default;
};
template <class M> constexpr M power(M m, unsigned n) { M r = M::identity(); for (; n; n >>= 1, m = m * m) if (n & 1) r = r * m; return r; }
struct Mod { unsigned v = 0; constexpr Mod(unsigned x = 0) : v(x % 998244353) {} constexpr Mod &operator+=(Mod o) { v = (v + o.v) % 998244353; return *this; } friend constexpr Mod operator*(Mod a, Mod b) { return Mod(static_cast<unsigned>(1ull * a.v * b.v % 998244353)); } constexpr bool operator==(const Mod &) const = default; };

int main() {
  constexpr Matrix<unsigned long, 2, 2> fib{{1, 1, 1, 0}};
  constexpr auto f90 = power(fib, 90);
  static_assert(f90(0, 1) == 2880067194370816120ul);
  Matrix<Mod, 3, 3> m{{1, 2, 3, 4, 5, 6, 7, 8, 10}};
  auto p = power(m, 1000000007);
  Matrix<std::complex<double>, 2, 2> c;
  c(0, 0) = {0, 1}, c(0, 1) = 1, c(1, 0) = 1, c(1, 1) = {0, -1};
  Matrix<double, 2, 3> a{{1, 2, 3, 4, 5, 6}};
  Matrix<double, 3, 1> b{{0.5, -1, 2}};
  auto ab = a * b;
  std::cout << f90(0, 0) << ' ' << p(0, 0).v << ' ' << p(2, 1).v << ' ' << power(c, 5)(0, 1) << ' ' << ab(0, 0) << ' ' << ab(1, 0) << '\n';
}
