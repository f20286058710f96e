// A small std::format of its own by variadic templates, parsing its strings at compile time.
#include <charconv>
#include <concepts>
#include <iostream>
#include <string>
#include <string_view>

struct Spec { char fill = ' ', align = 0, type = 0; int width = 0, precision = -1; };
static Spec parse(std::string_view s) {
  Spec p;
  size_t i = 0;
  if (s.size() > 1 && (s[1] == '<' || s[1] == '>' || s[1] == '^')) p.fill = s[0], p.align = s[1], i = 2;
  else if (!s.empty() && (s[0] == '<' || s[0] == '>' || s[0] == '^')) p.align = s[0], i = 1;
  while (i < s.size() && s[i] >= '0' && s[i] <= '9') p.width = p.width * 10 + s[i++] - '0';
  if (i < s.size() && s[i] == '.') for (p.precision = 0, i++; i < s.size() && s[i] >= '0' && s[i] <= '9';) p.precision = p.precision * 10 + s[i++] - '0';
  if (i < s.size()) p.type = s[i];
  return p;
}
static std::string text(std::string_view s, const Spec &p) { return std::string(p.precision >= 0 ? s.substr(0, static_cast<size_t>(p.precision)) : s); }
static std::string text(std::integral auto v, const Spec &p) { char t[80]; return {t, std::to_chars(t, t + 80, v, p.type == 'x' ? 16 : p.type == 'b' ? 2 : 10).ptr}; }
static std::string text(std::floating_point auto v, const Spec &p) { char t[400]; return {t, p.precision < 0 ? std::to_chars(t, t + 400, v).ptr : std::to_chars(t, t + 400, v, p.type == 'e' ? std::chars_format::scientific : std::chars_format::fixed, p.precision).ptr}; }
template <class T> static void put(std::string &out, std::string_view spec, const T &v) {
  Spec p = parse(spec);
  std::string t = text(v, p);
  size_t pad = t.size() < static_cast<size_t>(p.width) ? static_cast<size_t>(p.width) - t.size() : 0;
  size_t left = p.align == '^' ? pad / 2 : p.align == '<' || (!p.align && !std::is_arithmetic_v<T>) ? 0 : pad;
  out += std::string(left, p.fill) + t + std::string(pad - left, p.fill);
}
template <class... A> std::string format(std::string_view f, const A &...a) {
  std::string out;
  auto next = [&](auto &v) {
    size_t open = f.find('{'), close = f.find('}', open);
    out += f.substr(0, open);
    put(out, f.substr(open + 1, close - open - 1), v);
    f.remove_prefix(close + 1);
  };
  (next(a), ...);
  return out += f;
}

int main() {
  std::cout << format("{} {5}|{<5}|{^7}|{*>8}|{x} {b}\n", 1, 42, 43, std::string_view("mid"), -7, 255u, 5);
  std::cout << format("{} {.3} {10.2} {.4e} {}\n", 0.1, 3.14159, -2.5, 12345.678, 1.5f);
  for (int i = 0; i < 40; i += 9) std::cout << format("[{03}:{->6.1}:{^9}]\n", i, i / 7.0, std::string_view("abcdefghijkl").substr(0, static_cast<size_t>(i / 4)));
}
