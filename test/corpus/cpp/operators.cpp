// Overloaded operators of all kinds, conversions, literals, comparison by <=>, structured bindings.
#include <compare>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

class Fraction {
  long n, d;
  static constexpr long gcd(long a, long b) { return b ? gcd(b, a % b) : a; }
 public:
  constexpr Fraction(long a = 0, long b = 1) : n(a), d(b) { long g = gcd(a < 0 ? -a : a, b); if (g) n /= g, d /= g; }
  friend Fraction operator+(Fraction a, Fraction b) { return {a.n * b.d + b.n * a.d, a.d * b.d}; }
  friend Fraction operator*(Fraction a, Fraction b) { return {a.n * b.n, a.d * b.d}; }
  Fraction operator-() const { return {-n, d}; }
  Fraction &operator+=(Fraction o) { return *this = *this + o; }
  Fraction &operator++() { n += d; return *this; }
  Fraction operator++(int) { auto old = *this; ++*this; return old; }
  friend std::strong_ordering operator<=>(Fraction a, Fraction b) { return a.n * b.d <=> b.n * a.d; }
  friend bool operator==(Fraction a, Fraction b) = default;
  explicit operator double() const { return static_cast<double>(n) / static_cast<double>(d); }
  explicit operator bool() const { return n != 0; }
  friend std::ostream &operator<<(std::ostream &o, Fraction f) { return o << f.n << '/' << f.d; }
};
constexpr unsigned long long operator""_kib(unsigned long long v) { return v * 1024; }
static Fraction operator""_f(unsigned long long v) { return Fraction(static_cast<long>(v)); }
struct Grid {
  std::vector<int> cells = std::vector<int>(12);
  int &operator()(int r, int c) { return cells[static_cast<size_t>(r * 4 + c)]; }
  int *operator->() { return cells.data(); }
  int operator[](int i) const { return cells[static_cast<size_t>(i)]; }
};
struct Version { int major, minor; std::string tag; auto operator<=>(const Version &) const = default; };

int main() {
  Fraction sum;
  for (int i = 1; i <= 12; i++) sum += Fraction(1, i);
  std::cout << sum << ' ' << static_cast<double>(sum) << ' ' << (sum > 3_f) << (Fraction(2, 4) == Fraction(1, 2)) << ' ' << -sum * 2_f << ' ' << sum++ << ' ' << ++sum << (sum ? 'y' : 'n') << '\n';
  Grid g;
  for (int r = 0; r < 3; r++) for (int c = 0; c < 4; c++) g(r, c) = r * 10 + c;
  std::cout << g[7] << 4_kib << (Version{1, 2, "b"} < Version{1, 2, "c"}) << (Version{1, 2, ""} <=> Version{1, 1, "z"} > 0) << '\n';
  std::map<std::string, Fraction> m{{"half", {1, 2}}, {"third", {1, 3}}};
  for (auto &[name, f] : m) { f += 1_f; std::cout << name << f << ' '; }
  auto [major, minor, tag] = Version{3, 4, "x"};
  int array[] = {7, 8};
  auto &[p, q] = array;
  q += p;
  std::cout << major << minor << tag << array[1] << '\n';
}
