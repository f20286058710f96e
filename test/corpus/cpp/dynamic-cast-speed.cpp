// Many virtual calls, dynamic casts and typeid comparisons over a mixed list.
#include <cstdio>
#include <memory>
#include <typeinfo>
#include <vector>

struct A { virtual ~A() = default; virtual int f(int x) { return x + 1; } };
struct B : A { int f(int x) override { return x * 3; } };
struct C : B { int f(int x) final { return x ^ 0x55; } int only_c() { return 7; } };
struct I { virtual int g() = 0; virtual ~I() = default; };
struct D : C, I { int g() override { return 11; } };
struct E : A, I { int g() override { return 13; } int f(int x) override { return x - 2; } };

int main() {
  std::vector<std::unique_ptr<A>> v;
  for (int i = 0; i < 200; i++)
    switch (i * 7 % 5) {
      case 0: v.emplace_back(new A); break;
      case 1: v.emplace_back(new B); break;
      case 2: v.emplace_back(new C); break;
      case 3: v.emplace_back(new D); break;
      default: v.emplace_back(new E);
    }
  int x = 1, casts = 0, types = 0;
  for (int round = 0; round < 20; round++)
    for (auto &p : v) {
      x = p->f(x) & 0xffff;
      if (auto *c = dynamic_cast<C *>(p.get())) casts += c->only_c();
      if (auto *i = dynamic_cast<I *>(p.get())) casts += i->g();
      types += typeid(*p) == typeid(D);
    }
  std::printf("%d %d %d\n", x, casts, types);
}
