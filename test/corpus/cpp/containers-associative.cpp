// map, set, multimap, their unordered forms, node handles, transparent comparison, adaptors.
#include <algorithm>
#include <iostream>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Point { int x, y; bool operator==(const Point &) const = default; };
struct Hash { size_t operator()(const Point &p) const { return static_cast<size_t>(p.x * 31 + p.y); } };

int main() {
  std::map<std::string, int> m;
  for (int i = 0; i < 500; i++) m["key" + std::to_string(i * 7919 % 211)] += i;
  auto [it, fresh] = m.try_emplace("key5", 1);
  auto node = m.extract("key7");
  node.key() = "renamed";
  m.insert(std::move(node));
  std::cout << m.size() << m.begin()->first << m.rbegin()->first << m.rbegin()->second << fresh << it->second << m.lower_bound("key9")->first << '\n';
  std::multimap<int, char> mm;
  for (char c = 'a'; c <= 'z'; c++) mm.emplace(c % 5, c);
  auto [from, to] = mm.equal_range(3);
  for (; from != to; ++from) std::cout << from->second;
  std::set<std::string, std::less<>> s{"pear", "apple", "fig"};
  std::cout << s.contains(std::string_view("fig")) << *s.upper_bound("b") << '\n';
  std::unordered_map<Point, long, Hash> um;
  for (int i = 0; i < 2000; i++) um[{i % 37, i % 23}] += i;
  long sum = 0;
  for (auto &[p, v] : um) sum += p.x * v + p.y;
  std::unordered_set<std::string> us;
  for (int i = 0; i < 300; i++) us.insert(std::to_string(i * i % 97));
  std::vector<std::string> sorted(us.begin(), us.end());
  std::sort(sorted.begin(), sorted.end());
  std::cout << um.size() << ' ' << sum << ' ' << sorted.size() << sorted.front() << sorted.back() << ' ' << um.bucket_count() << '\n';
  std::priority_queue<int, std::vector<int>, std::greater<>> q;
  for (int i = 0; i < 50; i++) q.push(i * 37 % 53);
  std::stack<int> st;
  while (q.size() > 40) st.push(q.top()), q.pop();
  while (!st.empty()) std::cout << st.top() << ' ', st.pop();
  std::cout << '\n';
}
