// corpus: apart:100000
// Thousands of exceptions through recursion; costs of unwinding are counted, not timed.
#include <cstdio>
#include <memory>
#include <string>

struct Error { int code; std::string text; };
static long constructed, destroyed;
struct Local { Local() { constructed++; } ~Local() { destroyed++; } };
static int descend(int n, int limit) {
  Local a;
  if (n == limit) throw Error{n, "limit"};
  auto p = std::make_unique<Local>();
  return descend(n + 1, limit) + 1;
}

int main() {
  long sum = 0;
  for (int i = 0; i < 300; i++) {
    try { sum += descend(0, i % 23); } catch (const Error &e) { sum += e.code * static_cast<long>(e.text.size()); }
  }
  std::printf("%ld %ld %ld\n", sum, constructed, destroyed);
}
