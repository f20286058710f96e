// Higher-order functions, currying, optional chains, ranges by hand, lazy sequences, fixpoints.
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

template <class F, class... B> auto curry(F f, B... b) {
  if constexpr (std::is_invocable_v<F, B...>) return f(b...);
  else return [=](auto x) { return curry(f, b..., x); };
}
template <class T> struct Lazy {
  std::function<T()> make;
  mutable std::optional<T> value;
  const T &operator*() const { if (!value) value = make(); return *value; }
};
template <class T> struct Stream { T head; std::function<Stream<T>()> tail; };
static Stream<int> from(int n) { return {n, [n] { return from(n + 1); }}; }
static Stream<int> filter(std::function<bool(int)> p, Stream<int> s) { while (!p(s.head)) s = s.tail(); return {s.head, [p, s] { return filter(p, s.tail()); }}; }
static Stream<int> sieve(Stream<int> s) { int h = s.head; return {h, [h, s] { return sieve(filter([h](int n) { return n % h != 0; }, s.tail())); }}; }
template <class T, class F> auto operator|(std::optional<T> o, F f) -> decltype(f(*o)) { return o ? f(*o) : std::nullopt; }
static std::optional<int> parse(const std::string &s) { try { return std::stoi(s); } catch (...) { return std::nullopt; } }
static std::optional<int> half(int n) { return n % 2 ? std::nullopt : std::optional(n / 2); }

int main() {
  std::cout << curry([](int a, int b, int c) { return a * b - c; })(6)(7)(2) << '\n';
  int evaluations = 0;
  Lazy<int> lazy{[&] { evaluations++; return 42; }, {}};
  std::cout << *lazy + *lazy << evaluations << '\n';
  auto primes = sieve(from(2));
  for (int i = 0; i < 12; i++, primes = primes.tail()) std::cout << primes.head << ' ';
  for (auto *t : {"84", "7", "x", "12"}) std::cout << (std::optional<std::string>(t) | parse | half | half).value_or(-1) << ' ';
  std::vector<int> v(20);
  std::iota(v.begin(), v.end(), 1);
  auto compose = [](auto... f) { return [=](auto x) { ((x = f(x)), ...); return x; }; };
  std::map<int, std::vector<int>> groups;
  for (int x : v) groups[compose([](int a) { return a * a; }, [](int a) { return a % 7; })(x)].push_back(x);
  for (auto &[k, g] : groups) std::cout << k << ':' << g.size() << ',' << g.back() << ' ';
  std::cout << '\n';
}
