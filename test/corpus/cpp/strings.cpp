// std::string and string_view: growth, searching, replacing, conversions of numbers, comparisons.
#include <charconv>
#include <iostream>
#include <string>
#include <string_view>

using namespace std::literals;

int main() {
  std::string s;
  for (int i = 0; i < 200; i++) s += static_cast<char>('a' + i % 26), i % 10 == 9 ? s.insert(s.size() / 2, "-*-") : s;
  std::cout << s.size() << s.find("-*-") << s.rfind("-*-") << s.find_first_of("xyz") << s.find_last_not_of("abc") << s.substr(95, 20) << '\n';
  for (size_t at = 0; (at = s.find("-*-", at)) != s.npos; at += 2) s.replace(at, 3, "#");
  std::cout << s.size() << ' ' << s.compare(3, 4, "defg") << (s < "b") << s.starts_with("abc"sv) << s.ends_with('z') << '\n';
  std::cout << std::stoi("42x") << std::stol("-7f", nullptr, 16) << std::stod("2.5e3") << std::to_string(1.0 / 3) << std::to_string(~0ull) << '\n';
  try { std::stoi("none"); } catch (std::exception &e) { std::cout << e.what() << '\n'; }
  try { std::stoi("99999999999"); } catch (std::exception &e) { std::cout << e.what() << '\n'; }
  char text[64];
  for (double d : {0.1, 1e300, 5e-324, 123456.789, -0.0, 1.0 / 3}) {
    auto [end, error] = std::to_chars(text, text + 64, d);
    double back;
    std::from_chars(text, end, back);
    std::cout << std::string_view(text, static_cast<size_t>(end - text)) << (back == d) << ' ';
  }
  auto [end, error] = std::to_chars(text, text + 64, -255, 16);
  std::cout << std::string(text, end) << '\n';
  std::u32string wide = U"h\u00e9llo \U0001f600";
  std::u8string eight = u8"h\u00e9llo";
  std::cout << wide.size() << eight.size() << "raw \\n"s << R"(raw \n)"s << std::hash<int>()(5) << (std::hash<std::string>()("a") == std::hash<std::string_view>()("a")) << '\n';
}
