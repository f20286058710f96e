// Tables made by the compiler: CRC, primes, sines, strings, sorted arrays, checked at run time.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string_view>

constexpr auto crc = [] { std::array<uint32_t, 256> t{}; for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1; t[i] = c; } return t; }();
constexpr auto primes = [] { std::array<int, 60> p{}; size_t n = 0; for (int i = 2; n < 60; i++) { bool is = true; for (size_t k = 0; k < n && p[k] * p[k] <= i; k++) is &= i % p[k] != 0; if (is) p[n++] = i; } return p; }();
constexpr double sine(double x) { double s = 0, t = x; for (int i = 1; i < 20; i += 2) s += t, t *= -x * x / ((i + 1) * (i + 2)); return s; }
constexpr auto sines = [] { std::array<double, 16> t{}; for (size_t i = 0; i < 16; i++) t[i] = sine(static_cast<double>(i) / 10); return t; }();
constexpr auto sorted = [] { std::array<int, 20> a{}; for (int i = 0; i < 20; i++) a[static_cast<size_t>(i)] = i * 7 % 20; std::sort(a.begin(), a.end()); return a; }();
constexpr uint64_t hash(std::string_view s) { uint64_t h = 14695981039346656037u; for (char c : s) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u; return h; }
template <size_t N> struct Text { char c[N]; constexpr Text(const char (&s)[N]) { std::copy_n(s, N, c); } };
template <Text T> constexpr auto name() { return std::string_view(T.c); }

int main() {
  uint32_t c = ~0u;
  for (char ch : std::string_view("123456789")) c = crc[(c ^ static_cast<uint8_t>(ch)) & 255] ^ c >> 8;
  static_assert(primes[59] == 281 && sorted[7] == 7);
  std::cout << std::hex << ~c << std::dec << ' ' << primes[40] << ' ' << sines[15] << ' ' << sorted[19] << ' ' << name<"literal">() << '\n';
  for (const char *s : {"alpha", "beta", "gamma"})
    switch (hash(s)) { case hash("alpha"): std::cout << "first "; break; case hash("beta"): std::cout << "second "; break; default: std::cout << "other\n"; }
}
