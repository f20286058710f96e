// File streams: text and binary, seeking, lines, states, a buffer of one's own.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

struct Upper : std::streambuf {
  std::streambuf *to;
  explicit Upper(std::streambuf *b) : to(b) {}
  int overflow(int c) override { return to->sputc(static_cast<char>(std::toupper(c))); }
};

int main() {
  { std::ofstream out("lines.txt"); for (int i = 0; i < 500; i++) out << "line " << i << ' ' << i * 0.25 << '\n'; }
  std::ifstream in("lines.txt");
  std::string line, word;
  int count = 0;
  long sum = 0;
  double value, total = 0;
  while (std::getline(in, line)) { std::istringstream s(line); int n; s >> word >> n >> value; count++, sum += n, total += value; }
  std::cout << count << ' ' << sum << ' ' << total << ' ' << in.eof() << '\n';
  in.clear();
  in.seekg(5);
  in >> count;
  std::cout << count << ' ' << in.tellg() << ' ' << static_cast<char>(in.peek()) << '\n';
  std::fstream both("data.bin", std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc);
  for (int i = 0; i < 1000; i++) both.write(reinterpret_cast<char *>(&i), sizeof i);
  both.seekp(40), both.write("abcd", 4), both.seekg(-12, std::ios::end);
  std::vector<char> tail((std::istreambuf_iterator<char>(both)), {});
  both.clear(), both.seekg(40);
  char four[5] = {};
  both.read(four, 4);
  std::cout << tail.size() << four << both.gcount() << std::ifstream("none").is_open() << '\n';
  Upper upper(std::cout.rdbuf());
  std::ostream(&upper) << "upper case " << 42 << '\n';
  std::remove("lines.txt"), std::remove("data.bin");
}
