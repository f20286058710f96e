// Text: edit distance, longest common subsequence, suffix array, trie, Burrows-Wheeler, word counts.
#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

struct Trie {
  std::array<std::unique_ptr<Trie>, 26> next;
  int ends = 0;
  void add(const std::string &w) { Trie *t = this; for (char c : w) { auto &n = t->next[static_cast<size_t>(c - 'a')]; if (!n) n = std::make_unique<Trie>(); t = n.get(); } t->ends++; }
  int count(const std::string &prefix) const { const Trie *t = this; for (char c : prefix) if (!(t = t->next[static_cast<size_t>(c - 'a')].get())) return 0; return t->all(); }
  int all() const { int s = ends; for (auto &n : next) if (n) s += n->all(); return s; }
};
static size_t edit(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); j++) { size_t old = row[j]; row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])}); diagonal = old; }
  }
  return row.back();
}

int main() {
  std::string text = "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness";
  std::istringstream in(text);
  std::map<std::string, int> counts;
  Trie trie;
  for (std::string w; in >> w;) counts[w]++, trie.add(w);
  std::vector<std::pair<std::string, int>> list(counts.begin(), counts.end());
  std::stable_sort(list.begin(), list.end(), [](auto &a, auto &b) { return a.second > b.second; });
  for (size_t i = 0; i < 5; i++) std::cout << list[i].first << list[i].second << ' ';
  std::cout << trie.count("w") << trie.count("ti") << trie.count("zz") << ' ' << edit("kitten sitting", "sitting kitten") << edit(text, text.substr(7)) << '\n';
  std::vector<size_t> suffixes(text.size());
  std::iota(suffixes.begin(), suffixes.end(), 0);
  std::sort(suffixes.begin(), suffixes.end(), [&](size_t a, size_t b) { return text.compare(a, std::string::npos, text, b, std::string::npos) < 0; });
  std::string bwt;
  for (size_t s : suffixes) bwt += s ? text[s - 1] : '$';
  std::cout << bwt << '\n';
  size_t best = 0, at = 0;
  for (size_t i = 1; i < suffixes.size(); i++) { size_t k = 0; while (text[suffixes[i] + k] && text[suffixes[i] + k] == text[suffixes[i - 1] + k]) k++; if (k > best) best = k, at = suffixes[i]; }
  std::cout << '[' << text.substr(at, best) << "]\n";
}
