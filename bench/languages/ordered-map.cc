// std::map: insertions at random keys, and searches.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 10000;
  std::map<uint32_t, long> map;
  uint32_t random = 1;
  long sum = 0;
  for (long i = 0; i < count; i++) {
    random = random * 1664525 + 1013904223;
    map[random >> 12] += i;
    if (i % 3 > 0) continue;
    auto found = map.lower_bound(random >> 11);
    if (found != map.end()) sum += found->second;
  }
  printf("%zu %ld\n", map.size(), sum);
}
