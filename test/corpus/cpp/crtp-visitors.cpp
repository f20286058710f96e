// An interpreter of expression trees by virtual calls, by visitors and by variants.
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>

struct Number;
struct Binary;
struct Name;
struct Visitor { virtual void visit(const Number &) = 0; virtual void visit(const Binary &) = 0; virtual void visit(const Name &) = 0; virtual ~Visitor() = default; };
struct Node { virtual ~Node() = default; virtual double eval(const std::map<std::string, double> &) const = 0; virtual void accept(Visitor &) const = 0; };
template <class D> struct Visitable : Node { void accept(Visitor &v) const override { v.visit(static_cast<const D &>(*this)); } };
struct Number : Visitable<Number> { double v; explicit Number(double x) : v(x) {} double eval(const std::map<std::string, double> &) const override { return v; } };
struct Name : Visitable<Name> { std::string n; explicit Name(std::string x) : n(std::move(x)) {} double eval(const std::map<std::string, double> &e) const override { return e.at(n); } };
struct Binary : Visitable<Binary> {
  char op; std::unique_ptr<Node> l, r;
  Binary(char o, std::unique_ptr<Node> a, std::unique_ptr<Node> b) : op(o), l(std::move(a)), r(std::move(b)) {}
  double eval(const std::map<std::string, double> &e) const override {
    double a = l->eval(e), b = r->eval(e);
    switch (op) { case '+': return a + b; case '-': return a - b; case '*': return a * b; default: return a / b; }
  }
};
struct Printer : Visitor {
  std::string out;
  void visit(const Number &n) override { char t[32]; std::snprintf(t, sizeof t, "%g", n.v); out += t; }
  void visit(const Name &n) override { out += n.n; }
  void visit(const Binary &b) override { out += '('; b.l->accept(*this); out += b.op; b.r->accept(*this); out += ')'; }
};
struct Add;
using Expr = std::variant<int, std::shared_ptr<Add>>;
struct Add { Expr a, b; };
static int total(const Expr &e) { return std::visit([](auto &x) { if constexpr (std::is_same_v<std::decay_t<decltype(x)>, int>) return x; else return total(x->a) + total(x->b); }, e); }
template <class T, class... A> std::unique_ptr<Node> mk(A &&...a) { return std::make_unique<T>(std::forward<A>(a)...); }

int main() {
  auto tree = mk<Number>(1.0);
  for (int i = 1; i < 40; i++) tree = mk<Binary>("+-*/"[i % 4], std::move(tree), i % 3 ? mk<Number>(i * 0.5) : mk<Name>(i % 2 ? "x" : "y"));
  Printer p;
  tree->accept(p);
  std::printf("%s\n%.12g\n", p.out.c_str(), tree->eval({{"x", 1.5}, {"y", -2}}));
  Expr e = 1;
  for (int i = 0; i < 50; i++) e = std::make_shared<Add>(Add{e, i});
  std::printf("%d\n", total(e));
  try { tree->eval({}); } catch (std::exception &x) { std::puts(x.what()); }
}
