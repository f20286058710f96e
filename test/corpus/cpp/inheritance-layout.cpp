// Sizes and offsets of classes with bases, empty bases, virtual functions and bit fields; pointers to members.
#include <cstddef>
#include <cstdio>
#include <type_traits>

struct Empty {};
struct One : Empty { int a; };
struct Two : Empty { Empty e; char c; };
struct Virtual { virtual ~Virtual() = default; char c; };
struct Derived : Virtual { char d; short s; };
struct Multi : Virtual, One { double x; virtual int f() { return 1; } };
struct VBase : virtual One { int b; };
struct VDerived : VBase, virtual Empty { long l; };
struct Bits { unsigned a : 3; unsigned b : 30; bool c : 1; [[no_unique_address]] Empty e; };
struct alignas(32) Aligned { char c; };
struct Holder { char a; Aligned b; char c; };
union U { char c; long double l; };
enum class Tiny : unsigned char { A, B };

int main() {
  std::printf("%zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(Empty), sizeof(One), sizeof(Two), sizeof(Virtual), sizeof(Derived), sizeof(Multi), sizeof(VBase), sizeof(VDerived), sizeof(Bits), sizeof(Holder), sizeof(U), sizeof(Tiny));
  Multi m;
  VDerived v;
  std::printf("%td %td %td\n", reinterpret_cast<char *>(static_cast<One *>(&m)) - reinterpret_cast<char *>(&m), reinterpret_cast<char *>(&m.x) - reinterpret_cast<char *>(&m), reinterpret_cast<char *>(static_cast<One *>(&v)) - reinterpret_cast<char *>(&v));
  int One::*p = &One::a;
  int Multi::*q = p;
  m.*q = 5;
  int (Multi::*f)() = &Multi::f;
  std::printf("%d %d %zu %zu\n", m.a, (m.*f)(), sizeof p, sizeof f);
  std::printf("%d%d%d%d%d%d\n", std::is_polymorphic_v<One>, std::is_trivially_copyable_v<One>, std::is_standard_layout_v<Derived>, std::has_virtual_destructor_v<Multi>, std::is_empty_v<Two>, std::is_aggregate_v<Bits>);
  VDerived copy = v;
  copy.a = 9, copy.b = 8, copy.l = 7;
  One &base = copy;
  VBase &vb = copy;
  std::printf("%d %d %zu\n", base.a, static_cast<VDerived &>(vb).a, offsetof(Holder, c));
}
