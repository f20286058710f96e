// Manipulators, numbers in all bases and formats, string streams, states of errors.
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>

int main() {
  for (double d : {0.0, 1.0, -2.5, 1e10, 1.0 / 3, 1e-7, 123456789.125})
    std::cout << d << ' ' << std::fixed << d << ' ' << std::scientific << std::setprecision(3) << d << ' ' << std::hexfloat << d << ' ' << std::defaultfloat << std::setprecision(12) << d << std::setprecision(6) << '\n';
  for (long n : {0l, 255l, -1l, std::numeric_limits<long>::min()})
    std::cout << std::setw(22) << n << '|' << std::left << std::setw(10) << std::hex << std::showbase << n << '|' << std::oct << n << '|' << std::dec << std::noshowbase << std::internal << std::setfill('0') << std::setw(8) << n << std::setfill(' ') << std::right << std::showpos << n << std::noshowpos << '\n';
  std::cout << std::boolalpha << true << std::noboolalpha << true << ' ' << std::quoted("a \"b\"") << std::uppercase << std::hex << 0xabc << std::dec << 1e20 << std::nouppercase << '\n';
  std::istringstream in("12 0x1f 3.5e2 word true 99999999999999999999 x");
  int a, b;
  double d;
  std::string w;
  bool t;
  int big = 5;
  in >> a >> std::hex >> b >> std::dec >> d >> w >> std::boolalpha >> t;
  std::cout << a << ' ' << b << ' ' << d << ' ' << w << ' ' << t << in.good() << '\n';
  in >> big;
  std::cout << in.fail() << big << in.eof();
  in.clear();
  in >> big;
  std::cout << in.fail() << '\n';
  std::ostringstream out;
  out << std::setw(5) << 'c' << std::ends << std::showpoint << 2.0;
  std::cout << out.str().size() << out.tellp() << '\n';
  std::cerr << "error stream " << 5 << '\n';
  std::clog << "log stream\n";
}
