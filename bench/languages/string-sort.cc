// std::sort of strings and of doubles, std::stable_sort by length.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  size_t count = argc > 1 ? static_cast<size_t>(atol(argv[1])) : 1000;
  uint32_t random = 1;
  auto next = [&random] { return random = random * 1664525 + 1013904223; };
  std::vector<std::string> strings;
  for (size_t i = 0; i < count; i++) strings.push_back(std::to_string(next()));
  std::sort(strings.begin(), strings.end());
  std::vector<double> numbers(4 * count);
  for (double &number : numbers) number = next() / 3.0;
  std::sort(numbers.begin(), numbers.end());
  std::stable_sort(strings.begin(), strings.end(),
                   [](const auto &x, const auto &y) { return x.size() < y.size(); });
  printf("%s %g\n", strings[count / 2].c_str(), numbers[count]);
}
