// Four threads of std::thread, started twice; the first has three times the work of each other one.
#include <cstdio>
#include <thread>
#include <vector>

static double a[4096];

__attribute__((noinline)) static double work(long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += a[i & 4095] * 1.5;
  return s;
}

int main(int argc, char **) {
  double results[4] = {};
  for (int i = 0; i < 4096; i++) a[i] = i * argc;
  for (int round = 0; round < 2; round++) {
    std::vector<std::thread> all;
    for (int t = 0; t < 4; t++)
      all.emplace_back([&results, t, argc] { results[t] += work((t == 0 ? 90000 : 30000) * argc); });
    for (std::thread &each : all) each.join();
  }
  std::printf("%g\n", results[0] + results[1] + results[2] + results[3]);
  return 0;
}
