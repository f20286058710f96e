// Algorithms: sorts, partitions, permutations, heaps, sets, numeric, searches, with checksums.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

static long hash(const std::vector<int> &v) { return std::accumulate(v.begin(), v.end(), 7l, [](long h, int x) { return (h * 31 + x) % 1000000007; }); }

int main() {
  std::mt19937 random(5);
  std::vector<int> v(3000), w, x;
  for (int &e : v) e = static_cast<int>(random() % 10000);
  w = v;
  std::sort(w.begin(), w.end()), std::cout << hash(w) << ' ';
  x = v, std::stable_sort(x.begin(), x.end(), [](int a, int b) { return a % 100 < b % 100; }), std::cout << hash(x) << ' ';
  x = v, std::partial_sort(x.begin(), x.begin() + 10, x.end()), x.resize(10), std::cout << hash(x) << ' ';
  x = v, std::nth_element(x.begin(), x.begin() + 1500, x.end()), std::cout << x[1500] << ' ';
  x = v, std::make_heap(x.begin(), x.end()), std::pop_heap(x.begin(), x.end()), std::sort_heap(x.begin(), x.end() - 1), std::cout << hash(x) << '\n';
  x = v;
  auto middle = std::stable_partition(x.begin(), x.end(), [](int a) { return a & 1; });
  std::cout << middle - x.begin() << ' ' << hash(x) << ' ';
  std::rotate(x.begin(), x.begin() + 777, x.end()), std::cout << hash(x) << ' ';
  x.erase(std::unique(w.begin(), w.end()) - w.begin() + x.begin(), x.end()), std::cout << x.size() << ' ';
  std::string p = "abcde";
  int n = 0;
  do n += p[0] * p[4]; while (std::next_permutation(p.begin(), p.end()));
  std::vector<int> a{1, 3, 5, 7, 9}, b{3, 4, 5, 6}, r;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(r)), std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(r));
  std::cout << n << ' ' << hash(r) << ' ' << std::inner_product(a.begin(), a.end(), v.begin(), 0) << '\n';
  std::partial_sum(v.begin(), v.end(), v.begin()), std::adjacent_difference(v.begin(), v.end(), x.begin() - 0 < x.end() ? (x.resize(3000), x.begin()) : x.begin());
  std::cout << v.back() << ' ' << hash(x) << ' ' << std::gcd(84, 36) << std::lcm(4, 6) << std::midpoint(3, 8) << ' ';
  std::shuffle(v.begin(), v.end(), random), std::cout << v[0] << ' ' << *std::max_element(v.begin(), v.end()) << ' ' << std::transform_reduce(a.begin(), a.end(), 0, std::plus<>(), [](int q) { return q * q; }) << '\n';
}
