// Paragraphs wrapped and justified, tables aligned, CSV with quotes, INI files, Levenshtein suggestions.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

static std::vector<std::string> wrap(const std::string &text, size_t width) {
  std::istringstream in(text);
  std::vector<std::string> lines, words;
  size_t length = 0;
  auto flush = [&](bool last) {
    std::string line;
    size_t gaps = words.size() - 1, spaces = width - length;
    for (size_t i = 0; i < words.size(); i++) { line += words[i]; if (i < gaps) line += std::string(last ? 1 : spaces / gaps + (i < spaces % gaps), ' '); }
    lines.push_back(line), words.clear(), length = 0;
  };
  for (std::string w; in >> w;) { if (!words.empty() && length + words.size() + w.size() > width) flush(false); words.push_back(w), length += w.size(); }
  if (!words.empty()) flush(true);
  return lines;
}
static std::vector<std::string> csv(const std::string &line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); i++) {
    char c = line[i];
    if (quoted) { if (c != '"') out.back() += c; else if (line[i + 1] == '"') out.back() += line[++i]; else quoted = false; }
    else if (c == '"') quoted = true;
    else if (c == ',') out.emplace_back();
    else out.back() += c;
  }
  return out;
}

int main() {
  std::string text = "The emulator executes one instruction after another and gives each of them the cycle in which it could run at the earliest if nothing but its operands held it up.";
  for (size_t w : {24u, 40u}) for (auto &l : wrap(text, w)) std::cout << '|' << std::left << std::setw(static_cast<int>(w)) << l << "|\n";
  for (auto *line : {"a,\"b,c\",,\"say \"\"hi\"\"\"", "", "x,y"}) { for (auto &f : csv(line)) std::cout << '<' << f << '>'; std::cout << '\n'; }
  std::istringstream ini("[one]\nkey = value\n; comment\nn=5\n[two]\nkey=other  \n");
  std::map<std::string, std::map<std::string, std::string>> sections;
  std::string section;
  auto trim = [](std::string s) { s.erase(0, s.find_first_not_of(" \t")); s.erase(s.find_last_not_of(" \t") + 1); return s; };
  for (std::string l; std::getline(ini, l);) {
    if (l.empty() || l[0] == ';') continue;
    if (l[0] == '[') section = l.substr(1, l.find(']') - 1);
    else sections[section][trim(l.substr(0, l.find('=')))] = trim(l.substr(l.find('=') + 1));
  }
  for (auto &[s, kv] : sections) for (auto &[k, v] : kv) std::cout << s << '.' << k << '=' << v << ' ';
  std::cout << '\n';
}
