// Objects initialised and destroyed in order, local statics, inline variables, constinit, thread-safe statics.
#include <cstdio>
#include <cstdlib>
#include <string>

struct Log {
  std::string name;
  explicit Log(const char *n) : name(n) { std::printf("+%s ", n); }
  ~Log() { std::printf("-%s ", name.c_str()); }
};
static Log a("a"), b("b");
struct Holder { static Log inside; static inline Log also{"inline"}; };
Log Holder::inside("inside");
constinit static int ready = 42;
static Log &local(int n) { static Log l(n ? "local" : "never"); return l; }
static int depth(int n) { static int calls = 0; return n ? depth(n - 1) : ++calls; }
template <class T> struct Counted { static int count; Counted() { count++; } };
template <class T> int Counted<T>::count = 100;
__attribute__((init_priority(200))) static Log early("early");

int main() {
  std::printf("main %d\n", ready);
  local(1), local(0);
  Counted<int> x, y;
  Counted<char> z;
  std::printf("%d %d %d %s\n", depth(5) + depth(1), Counted<int>::count, Counted<char>::count, Holder::also.name.c_str());
  std::atexit([] { std::printf("atexit "); });
  static Log last("last");
  std::puts("end");
}
