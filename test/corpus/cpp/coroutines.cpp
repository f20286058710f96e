// corpus: not:clang-O0,clang-O2
// Generators and tasks by coroutines, with exceptions through them.
#include <coroutine>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

template <class T> struct Generator {
  struct promise_type {
    T value{};
    std::exception_ptr error;
    Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) { value = std::move(v); return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };
  std::coroutine_handle<promise_type> h;
  explicit Generator(std::coroutine_handle<promise_type> x) : h(x) {}
  Generator(Generator &&o) noexcept : h(std::exchange(o.h, {})) {}
  ~Generator() { if (h) h.destroy(); }
  std::optional<T> next() {
    h.resume();
    if (h.promise().error) std::rethrow_exception(h.promise().error);
    return h.done() ? std::nullopt : std::optional<T>(h.promise().value);
  }
};
static Generator<long> fibonacci() { for (long a = 0, b = 1;; a = std::exchange(b, a + b)) co_yield a; }
static Generator<std::string> words(std::string s) {
  for (size_t at = 0, end; at < s.size(); at = end + 1) {
    end = std::min(s.find(' ', at), s.size());
    co_yield s.substr(at, end - at);
  }
  throw std::runtime_error("no more words");
}
static Generator<int> hanoi(int n, int a, int b, int c) {
  if (n == 0) co_return;
  auto first = hanoi(n - 1, a, c, b);
  while (auto m = first.next()) co_yield *m;
  co_yield a * 10 + c;
  auto second = hanoi(n - 1, b, a, c);
  while (auto m = second.next()) co_yield *m;
}

int main() {
  auto f = fibonacci();
  for (int i = 0; i < 30; i++) std::cout << *f.next() << ' ';
  auto w = words("coroutines keep their state");
  try { while (auto x = w.next()) std::cout << '[' << *x << ']'; } catch (std::exception &e) { std::cout << e.what() << '\n'; }
  auto h = hanoi(5, 1, 2, 3);
  while (auto m = h.next()) std::cout << *m << ' ';
  std::cout << '\n';
}
