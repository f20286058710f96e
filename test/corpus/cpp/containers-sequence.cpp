// vector, deque, list, forward_list, array, span: growth, iterators, splicing, moving.
#include <algorithm>
#include <array>
#include <deque>
#include <forward_list>
#include <iostream>
#include <list>
#include <span>
#include <string>
#include <vector>

static int copies, moves;
struct Tracked {
  int v;
  Tracked(int x) : v(x) {}
  Tracked(const Tracked &o) : v(o.v) { copies++; }
  Tracked(Tracked &&o) noexcept : v(o.v) { o.v = -1; moves++; }
  Tracked &operator=(const Tracked &) = default;
};
static int sum(std::span<const int> s) { int t = 0; for (int x : s) t += x; return t; }

int main() {
  std::vector<Tracked> v;
  for (int i = 0; i < 100; i++) v.emplace_back(i);
  v.insert(v.begin() + 5, Tracked(500));
  v.erase(v.begin() + 10, v.begin() + 20);
  auto copy = v;
  auto moved = std::move(copy);
  std::cout << v.size() << ' ' << v.capacity() << ' ' << copies << ' ' << moves << ' ' << moved[5].v << copy.empty() << '\n';
  std::deque<std::string> d;
  for (int i = 0; i < 300; i++) i % 3 ? d.push_back(std::to_string(i)) : d.push_front("f" + std::to_string(i));
  d.erase(d.begin() + 50, d.end() - 50);
  std::cout << d.size() << d.front() << d.back() << d[60] << '\n';
  std::list<int> a{1, 2, 3, 4, 5}, b{9, 7, 8};
  b.sort();
  a.splice(std::next(a.begin(), 2), b);
  a.reverse(), a.remove_if([](int x) { return x % 4 == 0; });
  a.merge(b), a.unique();
  for (int x : a) std::cout << x << ' ';
  std::forward_list<int> f{3, 1, 2};
  f.push_front(0), f.sort(), f.insert_after(f.begin(), 77);
  for (int x : f) std::cout << x << ' ';
  std::array<int, 6> arr{6, 5, 4, 3, 2, 1};
  std::vector<bool> bits(100);
  for (size_t i = 0; i < 100; i += 7) bits[i].flip();
  std::cout << sum(arr) << sum(std::span(arr).subspan(2, 3)) << std::count(bits.begin(), bits.end(), true) << '\n';
}
