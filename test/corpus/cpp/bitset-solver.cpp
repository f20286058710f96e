// Knights, queens and exact cover by dancing links and bit sets.
#include <bitset>
#include <iostream>
#include <vector>

struct Node { int l, r, u, d, col; };
struct Links {
  std::vector<Node> n;
  std::vector<int> size;
  long found = 0, steps = 0;
  explicit Links(int cols) : size(static_cast<size_t>(cols + 1)) { for (int i = 0; i <= cols; i++) n.push_back({i - 1, i + 1, i, i, i}); n[0].l = cols, n[static_cast<size_t>(cols)].r = 0; }
  Node &at(int i) { return n[static_cast<size_t>(i)]; }
  void row(const std::vector<int> &cols) {
    int first = static_cast<int>(n.size());
    for (int c : cols) { int me = static_cast<int>(n.size()); n.push_back({me - 1, me + 1, at(c).u, c, c}); at(at(c).u).d = me, at(c).u = me, size[static_cast<size_t>(c)]++; }
    at(first).l = static_cast<int>(n.size()) - 1, n.back().r = first;
  }
  void cover(int c) { at(at(c).r).l = at(c).l, at(at(c).l).r = at(c).r; for (int i = at(c).d; i != c; i = at(i).d) for (int j = at(i).r; j != i; j = at(j).r) at(at(j).d).u = at(j).u, at(at(j).u).d = at(j).d, size[static_cast<size_t>(at(j).col)]--; }
  void uncover(int c) { for (int i = at(c).u; i != c; i = at(i).u) for (int j = at(i).l; j != i; j = at(j).l) size[static_cast<size_t>(at(j).col)]++, at(at(j).d).u = j, at(at(j).u).d = j; at(at(c).r).l = c, at(at(c).l).r = c; }
  void search(int primary) {
    steps++;
    int best = 0;
    for (int c = at(0).r; c != 0; c = at(c).r) if (c <= primary && (!best || size[static_cast<size_t>(c)] < size[static_cast<size_t>(best)])) best = c;
    if (!best) { found++; return; }
    cover(best);
    for (int r = at(best).d; r != best; r = at(r).d) { for (int j = at(r).r; j != r; j = at(j).r) cover(at(j).col); search(primary); for (int j = at(r).l; j != r; j = at(j).l) uncover(at(j).col); }
    uncover(best);
  }
};

int main() {
  const int N = 6;
  Links l(2 * N + 2 * (2 * N - 1));
  for (int r = 0; r < N; r++) for (int c = 0; c < N; c++) l.row({1 + r, 1 + N + c, 1 + 2 * N + r + c, 1 + 2 * N + 2 * N - 1 + r - c + N - 1});
  l.search(2 * N);
  std::bitset<128> sums;
  sums[0] = true;
  for (int w : {3, 7, 11, 19, 23, 31}) sums |= sums << static_cast<size_t>(w);
  std::cout << l.found << ' ' << l.steps << ' ' << sums.count() << ' ' << sums[94] << sums[5] << '\n';
}
