// A graph by shared and weak pointers, topological order, cycles found, memoised paths, functional composition.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <vector>

struct Vertex { std::string name; std::vector<std::weak_ptr<Vertex>> out; int in = 0; };
class Graph {
  std::map<std::string, std::shared_ptr<Vertex>> all;
 public:
  std::shared_ptr<Vertex> at(const std::string &n) { auto &v = all[n]; if (!v) v = std::make_shared<Vertex>(Vertex{n, {}, 0}); return v; }
  void edge(const std::string &a, const std::string &b) { at(a)->out.push_back(at(b)); at(b)->in++; }
  std::vector<std::string> order() {
    std::map<std::string, int> left;
    std::priority_queue<std::string, std::vector<std::string>, std::greater<>> ready;
    for (auto &[n, v] : all) if ((left[n] = v->in) == 0) ready.push(n);
    std::vector<std::string> result;
    while (!ready.empty()) { auto n = ready.top(); ready.pop(); result.push_back(n); for (auto &w : all[n]->out) if (auto v = w.lock(); v && --left[v->name] == 0) ready.push(v->name); }
    return result;
  }
  long paths(const std::string &from, const std::string &to) {
    std::map<std::string, long> memo;
    std::function<long(const std::string &)> walk = [&](const std::string &n) -> long {
      if (n == to) return 1;
      if (auto i = memo.find(n); i != memo.end()) return i->second;
      long s = 0;
      for (auto &w : at(n)->out) s += walk(w.lock()->name);
      return memo[n] = s;
    };
    return walk(from);
  }
  size_t size() const { return all.size(); }
  void erase(const std::string &n) { all.erase(n); }
};

int main() {
  Graph g;
  for (int i = 0; i < 30; i++) for (int k = 1; k < 4; k++) if (i + k < 30) g.edge("v" + std::to_string(100 + i), "v" + std::to_string(100 + i + k));
  auto o = g.order();
  std::cout << o.size() << o.front() << o.back() << ' ' << g.paths("v100", "v129") << '\n';
  g.edge("v129", "v128");
  std::cout << g.order().size() << g.size() << '\n';
  auto kept = std::weak_ptr(g.at("v110"));
  g.erase("v110");
  std::cout << kept.expired() << g.size() << '\n';
}
