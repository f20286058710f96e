// Copies, moves, elisions, forwarding, swap, rule of five, strong guarantees by counting.
#include <iostream>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct Counter { int constructed = 0, copied = 0, moved = 0, destroyed = 0; };
static Counter count;
struct Item {
  std::string s;
  Item(std::string v = "") : s(std::move(v)) { count.constructed++; }
  Item(const Item &o) : s(o.s) { count.copied++; }
  Item(Item &&o) noexcept : s(std::move(o.s)) { count.moved++; }
  Item &operator=(const Item &o) { s = o.s; count.copied++; return *this; }
  Item &operator=(Item &&o) noexcept { s = std::move(o.s); count.moved++; return *this; }
  ~Item() { count.destroyed++; }
};
static Item make(bool b) { Item x("x"), y("y"); return b ? std::move(x) : y; }
static Item elided() { return Item("elided"); }
template <class... A> Item forwarded(A &&...a) { return Item(std::forward<A>(a)...); }
static void show(const char *what) { std::cout << what << ' ' << count.constructed << count.copied << count.moved << count.destroyed << '\n'; count = {}; }

int main() {
  { Item a = elided(); show("elided"); }
  { Item a = make(true), b = make(false); std::cout << a.s << b.s; show("make"); }
  { Item a("a"), b(a), c(std::move(a)); b = c; c = std::move(b); std::swap(b, c); show("assign"); }
  { std::vector<Item> v; for (int i = 0; i < 9; i++) v.push_back(Item(std::to_string(i))); v.insert(v.begin(), v[3]); v.erase(v.begin() + 2); std::cout << v[0].s << v[2].s; show("vector"); }
  { std::optional<Item> o; o.emplace("o"); auto p = o; p.reset(); o = Item("other"); std::cout << o->s << p.has_value() << o.value_or(Item("z")).s; show("optional"); }
  { auto i = forwarded(std::string("forwarded")); const Item k("k"); auto l = forwarded(k); std::cout << i.s << l.s; show("forward"); }
  { std::pair<Item, Item> p(std::piecewise_construct, std::forward_as_tuple("p"), std::forward_as_tuple("q")); auto [a, b] = std::move(p); std::cout << a.s << b.s << p.first.s.empty(); show("pair"); }
  show("end");
}
