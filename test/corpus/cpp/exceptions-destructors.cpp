// Partly constructed objects, arrays, members and bases unwound; exceptions while unwinding counted.
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

static int alive;
struct Part { int id; Part(int i) : id(i) { if (i == 13) throw i; alive++; } Part(const Part &o) : Part(o.id + 1) {} ~Part() { alive--; std::printf("~%d ", id); } };
struct Base { Part a; Base(int i) : a(i) {} virtual ~Base() { std::printf("~Base "); } };
struct Whole : Base { Part b, c; std::unique_ptr<Part> d; Whole(int i) : Base(i), b(i + 1), c(i + 2), d(new Part(i + 3)) { if (i == 20) throw "body"; } ~Whole() override { std::printf("~Whole "); } };
struct Watch { int before = std::uncaught_exceptions(); ~Watch() { std::printf("unwinding %d ", std::uncaught_exceptions() - before); try { throw 1; } catch (int) { std::printf("inner "); } } };

template <class F> static void attempt(const char *what, F f) {
  try { f(); std::printf("%s ok ", what); } catch (int i) { std::printf("%s int %d ", what, i); } catch (const char *s) { std::printf("%s %s ", what, s); }
  std::printf("%d\n", alive);
}

int main() {
  for (int i : {1, 10, 11, 12, 13, 20}) attempt("whole", [i] { Whole w(i); });
  attempt("array", [] { Part p[] = {1, 2, 12, 13, 14}; });
  attempt("new", [] { delete[] new Part[3]{5, 6, 13}; });
  attempt("vector", [] { std::vector<Part> v; v.reserve(9); v.emplace_back(3); v.emplace_back(12); v.push_back(v[1]); });
  attempt("watch", [] { Watch w; Whole x(12); });
  attempt("nothing", [] { Watch w; });
}
