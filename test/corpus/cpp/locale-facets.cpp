// Locales with facets of one's own: punctuation of numbers, case, collation; wide streams.
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return "yes"; }
};

int main() {
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new Grouped));
  out << 1234567 << ' ' << 9876543.25 << ' ' << std::fixed << std::setprecision(2) << 1e9 << ' ' << std::boolalpha << true;
  std::istringstream in("1'234'567 2,5");
  in.imbue(out.getloc());
  long n;
  double d;
  in >> n >> d;
  std::cout << out.str() << ' ' << n << ' ' << d << '\n';
  auto &f = std::use_facet<std::ctype<char>>(std::locale::classic());
  std::string s = "Mixed Case";
  f.toupper(s.data(), s.data() + s.size());
  std::cout << s << f.is(std::ctype_base::digit, '7') << std::use_facet<std::collate<char>>(std::locale()).compare(s.data(), s.data() + 2, s.data() + 3, s.data() + 5) << std::locale().name() << '\n';
  std::wostringstream w;
  w << L"wide " << 42 << L' ' << std::setw(6) << std::hex << 255;
  std::wstring t = w.str();
  std::cout << std::string(t.begin(), t.end()) << '\n';
}
