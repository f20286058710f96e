// corpus: not:clang-O0,clang-O2
// Views and algorithms of ranges.
#include <algorithm>
#include <iostream>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

struct Person { std::string name; int age; };

int main() {
  namespace v = std::views;
  for (int x : v::iota(1) | v::filter([](int n) { return n % 3 == 0; }) | v::transform([](int n) { return n * n; }) | v::take(8)) std::cout << x << ' ';
  std::vector<Person> people{{"Ann", 30}, {"Bob", 25}, {"Cid", 35}, {"Dan", 20}};
  std::ranges::sort(people, {}, &Person::age);
  for (auto &n : people | v::transform(&Person::name) | v::reverse) std::cout << n << ' ';
  std::cout << std::ranges::max(people, {}, &Person::age).name << std::ranges::count_if(people, [](auto &p) { return p.age > 24; }) << '\n';
  std::string_view text = "split,this,,text";
  for (auto part : text | v::split(',')) std::cout << '<' << std::string_view(part.begin(), part.end()) << '>';
  auto odd = v::iota(0, 20) | v::drop_while([](int n) { return n < 5; }) | v::filter([](int n) { return n & 1; });
  std::vector<int> copy(odd.begin(), odd.end());
  std::cout << copy.size() << *std::ranges::lower_bound(copy, 10) << std::ranges::binary_search(copy, 7) << '\n';
  std::vector<std::vector<int>> nested{{1, 2}, {}, {3, 4, 5}};
  for (int x : nested | v::join) std::cout << x;
  for (auto k : v::keys(std::vector<std::pair<char, int>>{{'a', 1}, {'b', 2}})) std::cout << k;
  auto [low, high] = std::ranges::minmax(copy);
  std::cout << low << high << std::ranges::equal(copy, copy | v::reverse | v::reverse) << '\n';
}
