// Rethrowing, exceptions within handlers, nested exceptions, function try blocks, exception_ptr.
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

static void print(const std::exception &e, int level = 0) {
  std::cout << std::string(static_cast<size_t>(level), ' ') << e.what() << '\n';
  try { std::rethrow_if_nested(e); } catch (const std::exception &inner) { print(inner, level + 1); }
}
static void deep(int n) {
  try {
    if (n == 0) throw std::out_of_range("bottom");
    deep(n - 1);
  } catch (...) { std::throw_with_nested(std::runtime_error("level " + std::to_string(n))); }
}
struct Member {
  explicit Member(int n) { if (n < 0) throw std::invalid_argument("negative"); }
};
struct Holder {
  Member a, b;
  Holder(int x, int y) try : a(x), b(y) { std::cout << "held\n"; } catch (std::exception &e) { std::cout << "constructor: " << e.what() << '\n'; }
};
static int twice(int n) {
  try {
    try { throw n; } catch (int &i) { i *= 2; throw; }
  } catch (int i) {
    try { throw std::logic_error("within"); } catch (std::logic_error &e) { std::cout << e.what() << std::uncaught_exceptions() << ' '; }
    return i;
  }
}

int main() {
  try { deep(4); } catch (const std::exception &e) { print(e); }
  Holder h(1, 2);
  try { Holder bad(1, -2); } catch (std::invalid_argument &) { std::cout << "rethrown\n"; }
  std::cout << twice(21) << '\n';
  std::exception_ptr kept;
  try { throw std::length_error("kept"); } catch (...) { kept = std::current_exception(); }
  for (int i = 0; i < 2; i++) try { std::rethrow_exception(kept); } catch (std::length_error &e) { std::cout << e.what() << '\n'; }
}
