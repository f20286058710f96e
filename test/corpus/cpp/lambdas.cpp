// Closures by value and reference, generic, mutable, recursive, in std::function, bind, invoke, immediately invoked.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

static auto counter(int start) { return [n = start]() mutable { return n++; }; }
static std::function<int(int)> compose(std::vector<std::function<int(int)>> fs) {
  return [fs = std::move(fs)](int x) { return std::accumulate(fs.begin(), fs.end(), x, [](int v, auto &f) { return f(v); }); };
}
struct Object { int base; int add(int x) const { return base + x; } };

int main() {
  auto a = counter(5), b = a;
  std::cout << a() << a() << b() << '\n';
  int total = 0;
  auto add = [&total](auto... x) { total += (x + ...); return total; };
  std::cout << add(1, 2) << ' ' << add(3, 4, 5) << '\n';
  std::function<long(int)> fib = [&](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
  std::cout << fib(15) << ' ' << compose({[](int x) { return x + 1; }, [](int x) { return x * x; }, std::negate<>()})(6) << '\n';
  Object o{40};
  auto bound = std::bind(&Object::add, &o, std::placeholders::_1);
  std::cout << bound(2) << std::invoke(&Object::add, o, 3) << std::invoke(&Object::base, o) << '\n';
  std::map<std::string, std::function<double(double, double)>> ops{{"+", std::plus<>()}, {"-", std::minus<>()}, {"max", [](double x, double y) { return std::max(x, y); }}};
  for (auto &[name, f] : ops) std::cout << name << f(2, 5) << ' ';
  auto unique = [p = std::make_unique<int>(7)] { return *p; };
  auto fix = [](auto self, int n) -> int { return n == 0 ? 1 : n * self(self, n - 1); };
  std::cout << unique() << ' ' << fix(fix, 6) << ' ' << [] { return 9; }() << '\n';
  try { std::function<void()>()(); } catch (std::bad_function_call &e) { std::cout << e.what() << '\n'; }
}
