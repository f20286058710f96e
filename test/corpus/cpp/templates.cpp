// Templates: specialisation, variadics, folds, recursion at compile time, concepts, CRTP, expression templates.
#include <array>
#include <concepts>
#include <cstdio>
#include <tuple>
#include <type_traits>
#include <utility>

template <unsigned N> struct Factorial { static constexpr unsigned long value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr unsigned long value = 1; };
template <class... T> constexpr auto sum(T... v) { return (v + ... + 0); }
template <class F, class... T> void each(F f, T &&...v) { (f(std::forward<T>(v)), ...); }
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <Number T> const char *kind(T) { return std::integral<T> ? "integral" : "floating"; }
template <class T> const char *kind(T *) { return "pointer"; }
template <class D> struct Shape { double doubled() const { return 2 * static_cast<const D *>(this)->area(); } };
struct Square : Shape<Square> { double s = 3; double area() const { return s * s; } };
template <size_t... I> constexpr auto squares(std::index_sequence<I...>) { return std::array{static_cast<int>(I * I)...}; }
template <class L, class R> struct Add { const L &l; const R &r; double operator[](size_t i) const { return l[i] + r[i]; } };
struct Vec { std::array<double, 8> v{}; double operator[](size_t i) const { return v[i]; } template <class X> Vec &operator=(const X &x) { for (size_t i = 0; i < 8; i++) v[i] = x[i]; return *this; } };
template <class L, class R> Add<L, R> operator+(const L &l, const R &r) { return {l, r}; }
template <class T, class = void> struct HasSize : std::false_type {};
template <class T> struct HasSize<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
constexpr int collatz(unsigned long n) { int c = 0; for (; n != 1; c++) n = n % 2 ? 3 * n + 1 : n / 2; return c; }

int main() {
  static_assert(Factorial<10>::value == 3628800);
  std::printf("%lu %d %g %s %s %s\n", Factorial<20>::value, sum(1, 2, 3), sum(1.5, 2), kind(1), kind(1.), kind("x"));
  each([](auto x) { std::printf("%g ", static_cast<double>(x)); }, 1, 2.5, 'a', 4l);
  std::printf("%g %d %d %d\n", Square{}.doubled(), squares(std::make_index_sequence<12>{})[11], HasSize<std::array<int, 2>>::value, HasSize<int>::value);
  Vec a, b, c;
  for (size_t i = 0; i < 8; i++) a.v[i] = static_cast<double>(i), b.v[i] = 0.5;
  c = a + b + a;
  constexpr int steps = collatz(27);
  auto tuple = std::tuple_cat(std::make_tuple(1, 2.), std::make_pair('x', 4));
  std::printf("%g %d %d %g\n", c[7], steps, std::apply([](auto... x) { return static_cast<int>((x + ...)); }, tuple), std::get<1>(tuple));
}
