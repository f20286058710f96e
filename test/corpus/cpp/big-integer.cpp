// A class of big integers: operators, decimal text, Karatsuba products, factorials and powers.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

class Big {
  std::vector<uint32_t> d;
  void trim() { while (!d.empty() && d.back() == 0) d.pop_back(); }
 public:
  Big(uint64_t v = 0) { for (; v; v >>= 32) d.push_back(static_cast<uint32_t>(v)); }
  friend Big operator+(const Big &a, const Big &b) {
    Big r;
    uint64_t c = 0;
    for (size_t i = 0; i < std::max(a.d.size(), b.d.size()) || c; i++) { c += (i < a.d.size() ? a.d[i] : 0ull) + (i < b.d.size() ? b.d[i] : 0ull); r.d.push_back(static_cast<uint32_t>(c)); c >>= 32; }
    return r;
  }
  friend Big operator-(const Big &a, const Big &b) {
    Big r = a;
    int64_t c = 0;
    for (size_t i = 0; i < r.d.size(); i++) { c += static_cast<int64_t>(r.d[i]) - (i < b.d.size() ? b.d[i] : 0); r.d[i] = static_cast<uint32_t>(c); c >>= 32; }
    r.trim();
    return r;
  }
  Big shifted(size_t n) const { Big r = *this; if (!d.empty()) r.d.insert(r.d.begin(), n, 0); return r; }
  Big part(size_t from, size_t to) const { Big r; if (from < d.size()) r.d.assign(d.begin() + static_cast<long>(from), d.begin() + static_cast<long>(std::min(to, d.size()))); r.trim(); return r; }
  friend Big operator*(const Big &a, const Big &b) {
    if (a.d.size() < 12 || b.d.size() < 12) {
      Big r;
      r.d.assign(a.d.size() + b.d.size(), 0);
      for (size_t i = 0; i < a.d.size(); i++) { uint64_t c = 0; for (size_t j = 0; j < b.d.size() || c; j++) { c += static_cast<uint64_t>(a.d[i]) * (j < b.d.size() ? b.d[j] : 0) + r.d[i + j]; r.d[i + j] = static_cast<uint32_t>(c); c >>= 32; } }
      r.trim();
      return r;
    }
    size_t h = std::max(a.d.size(), b.d.size()) / 2, all = static_cast<size_t>(-1);
    Big a0 = a.part(0, h), a1 = a.part(h, all), b0 = b.part(0, h), b1 = b.part(h, all), low = a0 * b0, high = a1 * b1;
    return low + ((a0 + a1) * (b0 + b1) - low - high).shifted(h) + high.shifted(2 * h);
  }
  std::string text() const {
    Big r = *this;
    std::string s;
    while (!r.d.empty()) { uint64_t c = 0; for (size_t i = r.d.size(); i-- > 0;) c = c << 32 | r.d[i], r.d[i] = static_cast<uint32_t>(c / 10), c %= 10; s += static_cast<char>('0' + c); r.trim(); }
    std::reverse(s.begin(), s.end());
    return s.empty() ? "0" : s;
  }
};

int main() {
  Big f(1), p(3);
  for (uint64_t i = 2; i <= 200; i++) f = f * Big(i);
  for (int i = 0; i < 9; i++) p = p * p;
  std::cout << f.text() << '\n' << p.text() << '\n' << (p * f - f * p).text() << ' ' << (p + f - f - p + Big(7)).text() << '\n';
}
