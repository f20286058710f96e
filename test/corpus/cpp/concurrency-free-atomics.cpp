// corpus: not:clang-O0,clang-O2
// std::atomic of all kinds in one thread: fetch operations, compare-exchange, floats, pointers, shared_ptr, references.
#include <atomic>
#include <cstdint>
#include <iostream>
#include <memory>

template <class T> void integers(const char *name) {
  std::atomic<T> a{T(100)};
  T seen = T(5);
  std::cout << name << ' ' << +a.fetch_add(T(60)) << ' ' << +a.fetch_sub(T(200)) << ' ' << +a.fetch_or(T(0x41)) << ' ' << +a.fetch_and(T(0x7e)) << ' ' << +a.fetch_xor(T(0x55)) << ' ' << +a.exchange(T(9)) << ' ' << a.compare_exchange_strong(seen, T(1)) << +seen << a.compare_exchange_strong(seen, T(2)) << ' ' << +(++a) << +a-- << +a.load() << a.is_lock_free() << '\n';
}
struct Small { short a, b; bool operator==(const Small &) const = default; };

int main() {
  integers<int8_t>("i8"), integers<uint16_t>("u16"), integers<int32_t>("i32"), integers<uint64_t>("u64");
  std::atomic<double> d = 1.5;
  d.fetch_add(2.25);
  d.fetch_sub(0.5);
  std::atomic<Small> s{{1, 2}};
  Small old{1, 2};
  std::cout << d << s.compare_exchange_strong(old, {3, 4}) << s.load().b << '\n';
  int array[4] = {1, 2, 3, 4};
  std::atomic<int *> p = array;
  p += 2, p--;
  std::cout << *p.load() << *p.fetch_add(2) << *p << '\n';
  std::atomic_ref<int> r(array[0]);
  r += 41;
  std::atomic_flag f = ATOMIC_FLAG_INIT;
  std::cout << array[0] << f.test_and_set() << f.test_and_set() << f.test() << '\n';
  std::atomic<std::shared_ptr<int>> shared = std::make_shared<int>(7);
  auto copy = shared.load();
  shared.store(std::make_shared<int>(8));
  std::cout << *copy << *shared.load() << copy.use_count() << '\n';
}
