// corpus: -fexceptions
// Exceptions through the C library's qsort, through noexcept boundaries by terminate handlers, and from new.
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <vector>

static int compare(const void *a, const void *b) {
  int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);
  if (x == 13 || y == 13) throw 13;
  return x - y;
}
static int tries;

int main() {
  int v[] = {5, 3, 13, 1};
  try { std::qsort(v, 4, sizeof *v, compare); } catch (int i) { std::printf("caught %d\n", i); }
  try { std::vector<int> x(static_cast<size_t>(-1) / 8); } catch (std::exception &e) { std::printf("%s\n", e.what()); }
  std::set_new_handler([] { if (++tries == 3) std::set_new_handler(nullptr); });
  try { volatile size_t huge = PTRDIFF_MAX - 4096; operator delete(operator new(huge)); } catch (std::bad_alloc &e) { std::printf("%d %s\n", tries, e.what()); }
  try { std::vector<int>().at(3); } catch (std::exception &e) { std::puts(e.what()); }
  std::set_terminate([] { std::puts("terminate"); std::fflush(stdout); std::_Exit(7); });
  auto boundary = []() noexcept { throw 1; };
  boundary();
}
