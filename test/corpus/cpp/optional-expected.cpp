// optional, variant as a result type, error codes, string_view parsing, chains of either.
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>

struct Error { std::errc code; size_t at; };
template <class T> using Result = std::variant<T, Error>;
static Result<int> number(std::string_view &s, size_t &at) {
  int v = 0;
  auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), v);
  if (code != std::errc()) return Error{code, at};
  at += static_cast<size_t>(end - s.data());
  s.remove_prefix(static_cast<size_t>(end - s.data()));
  return v;
}
static Result<long> sum(std::string_view s) {
  long total = 0;
  for (size_t at = 0;;) {
    auto r = number(s, at);
    if (auto *e = std::get_if<Error>(&r)) return *e;
    total += std::get<int>(r);
    if (s.empty()) return total;
    if (s[0] != '+') return Error{std::errc::illegal_byte_sequence, at};
    s.remove_prefix(1), at++;
  }
}

int main() {
  for (auto *t : {"1+2+3", "5", "7+x", "99999999999", "1 2", "-4+-5", ""}) {
    auto r = sum(t);
    if (auto *v = std::get_if<long>(&r)) std::cout << *v << '\n';
    else std::cout << std::make_error_code(std::get<Error>(r).code).message() << " at " << std::get<Error>(r).at << '\n';
  }
  std::optional<std::string> o;
  std::cout << o.value_or("nothing") << o.has_value();
  o.emplace(3, 'x');
  std::cout << *o << (o == std::optional<std::string>("xxx")) << (o < std::nullopt);
  try { std::optional<int>().value(); } catch (std::exception &e) { std::cout << e.what() << '\n'; }
}
