// typeid, dynamic_cast across hierarchies, bad_cast, bad_typeid, type_index, any and variant.
#include <any>
#include <iostream>
#include <map>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <variant>
#include <vector>

struct A { virtual ~A() = default; };
struct B : A {};
struct C : B { int value = 5; };
struct D { virtual ~D() = default; };
struct E : C, D {};
template <class... T> struct Overloaded : T... { using T::operator()...; };
template <class... T> Overloaded(T...) -> Overloaded<T...>;

int main() {
  E e;
  A *a = &e;
  D *d = &e;
  B b;
  A *other = &b, *null = nullptr;
  std::cout << typeid(*a).name() << (typeid(*a) == typeid(E)) << typeid(*other).name() << typeid(std::vector<int>).name() << '\n';
  std::cout << (dynamic_cast<D *>(a) == d) << (dynamic_cast<C *>(d) != nullptr) << (dynamic_cast<C *>(other) == nullptr) << '\n';
  try { dynamic_cast<C &>(*other).value = 1; } catch (std::bad_cast &x) { std::cout << x.what() << '\n'; }
  try { std::cout << typeid(*null).name(); } catch (std::bad_typeid &x) { std::cout << x.what() << '\n'; }
  std::map<std::type_index, std::string> names{{typeid(int), "int"}, {typeid(double), "double"}, {typeid(E), "E"}};
  std::cout << names[typeid(1)] << names[typeid(2.)] << names[typeid(*d)] << '\n';
  std::any any = 5;
  std::cout << std::any_cast<int>(any);
  any = std::string("text");
  try { std::any_cast<int>(any); } catch (std::bad_any_cast &x) { std::cout << x.what() << std::any_cast<std::string &>(any) << '\n'; }
  std::vector<std::variant<int, double, std::string>> list{1, 2.5, "three", 4};
  for (auto &v : list) std::visit(Overloaded{[](int i) { std::cout << "int " << i; }, [](double x) { std::cout << " double " << x; }, [](const std::string &s) { std::cout << " string " << s << ' '; }}, v);
  try { std::get<int>(list[1]); } catch (std::bad_variant_access &x) { std::cout << '\n' << x.what() << '\n'; }
}
