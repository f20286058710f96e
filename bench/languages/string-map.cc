// std::unordered_map by strings that are made one by one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 10000;
  std::unordered_map<std::string, long> map;
  uint32_t random = 1;
  for (long i = 0; i < count; i++) {
    random = random * 1664525 + 1013904223;
    map["key" + std::to_string(random >> 18)]++;
  }
  long sum = 0;
  for (const auto &[key, times] : map) sum += times * static_cast<long>(key.size());
  printf("%zu %ld\n", map.size(), sum);
}
