// corpus: apart:20000
// std::regex: matches, searches, replacements, iterators, errors.
#include <iostream>
#include <regex>
#include <string>

int main() {
  std::string text = "Call 555-1234 or 555-9876; mail a.b@example.org, c@d.net. Dates: 2024-02-29, 1999-12-31.";
  for (auto *pattern : {R"(\d{3}-\d{4})", R"(([\w.]+)@(\w+)\.(org|net))", R"((\d+)-(\d+)-(\d+))", R"(\b[A-Z]\w*)"}) {
    std::regex r(pattern);
    for (std::sregex_iterator i(text.begin(), text.end(), r), end; i != end; ++i) {
      for (size_t g = 0; g < i->size(); g++) std::cout << (*i)[g] << '|';
      std::cout << i->position() << ' ';
    }
    std::cout << '\n';
  }
  std::cout << std::regex_replace(text, std::regex("(\\d+)-(\\d+)-(\\d+)"), "$3/$2/$1") << '\n';
  std::smatch m;
  std::cout << std::regex_match(std::string("key = value"), std::regex("(\\w+)\\s*=\\s*(\\w+)")) << std::regex_search(text, m, std::regex("MAIL", std::regex::icase)) << m.prefix().length() << '\n';
  try { std::regex bad("(unclosed"); } catch (std::regex_error &e) { std::cout << (e.code() == std::regex_constants::error_paren) << '\n'; }
  std::regex comma(",");
  std::string csv = "a,b,,c";
  for (std::sregex_token_iterator i(csv.begin(), csv.end(), comma, -1), end; i != end; ++i) std::cout << '[' << *i << ']';
  std::cout << '\n';
}
