// Tuples, index sequences, printing any aggregate by structured bindings, hashing and comparing them.
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct Any { template <class T> operator T() const; };
template <class T, class... A> constexpr size_t fields() { if constexpr (requires { T{A{}..., Any{}}; }) return fields<T, A..., Any>(); else return sizeof...(A); }
template <class T> auto tie(const T &t) {
  if constexpr (fields<T>() == 1) { auto &[a] = t; return std::tie(a); }
  else if constexpr (fields<T>() == 2) { auto &[a, b] = t; return std::tie(a, b); }
  else { auto &[a, b, c] = t; return std::tie(a, b, c); }
}
template <class T> concept Printable = requires(std::ostream &o, const T &t) { o << t; };
template <class T> void print(const T &t) {
  if constexpr (Printable<T>) std::cout << t;
  else if constexpr (requires { t.begin(); }) { std::cout << '['; for (auto &x : t) print(x), std::cout << ','; std::cout << ']'; }
  else std::apply([](auto &...x) { std::cout << '{'; ((print(x), std::cout << ';'), ...); std::cout << '}'; }, tie(t));
}
struct Point { int x; double y; };
struct Line { Point from, to; std::string name; };
struct Box { std::vector<Line> lines; };

int main() {
  static_assert(fields<Point>() == 2 && fields<Box>() == 1);
  print(Box{{{{1, 2.5}, {3, -4}, "first"}, {{0, 0}, {9, 9.75}, "second"}}});
  auto t = std::make_tuple(1, std::string("two"), 3.0, 'c');
  auto [i, s, d, c] = t;
  std::cout << '\n' << i << s << d << c << std::tuple_size_v<decltype(t)> << (t < std::make_tuple(1, std::string("twp"), 0.0, 'a')) << '\n';
  [&]<size_t... I>(std::index_sequence<I...>) { ((std::cout << std::get<sizeof...(I) - 1 - I>(t) << ' '), ...); }(std::make_index_sequence<4>{});
  std::cout << '\n';
}
