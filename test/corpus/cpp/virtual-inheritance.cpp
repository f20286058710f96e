// Diamonds, virtual bases, pointers adjusted by casts, calls in constructors, pure virtual functions, covariant results.
#include <cstdio>

struct Top { int t; explicit Top(int v) : t(v) { std::printf("Top %d ", v); } virtual ~Top() { std::printf("~Top "); } virtual int f() const { return t; } };
struct Left : virtual Top { int l = 1; Left() : Top(1) { std::printf("Left %d ", f()); } int f() const override { return t * 10 + l; } ~Left() override { std::printf("~Left "); } };
struct Right : virtual Top { int r = 2; Right() : Top(2) { std::printf("Right "); } virtual Right *self() { return this; } int g() const { return f() + r; } ~Right() override { std::printf("~Right "); } };
struct Bottom : Left, Right { int b = 3; Bottom() : Top(9) { std::printf("Bottom\n"); } int f() const override { return Left::f() * 10 + b; } Bottom *self() override { return this; } ~Bottom() override { std::printf("~Bottom "); } };
struct Shape { virtual double area() const = 0; virtual ~Shape() = default; };
struct Square : Shape { double s; explicit Square(double v) : s(v) {} double area() const override { return s * s; } };
struct Circle : Shape { double r; explicit Circle(double v) : r(v) {} double area() const override { return 3 * r * r; } };

int main() {
  Bottom *b = new Bottom;
  Top *t = b;
  Left *l = b;
  Right *r = b;
  std::printf("%d %d %d %d %d\n", t->f(), l->f(), r->g(), static_cast<Bottom *>(r) == b, static_cast<Bottom *>(r->self())->b);
  std::printf("%d %d %d\n", dynamic_cast<Left *>(t) == l, dynamic_cast<Right *>(l) == r, dynamic_cast<void *>(t) == b);
  int (Top::*member)() const = &Top::f;
  int Bottom::*field = &Bottom::b;
  std::printf("%d %d\n", (t->*member)(), b->*field);
  delete t;
  Shape *shapes[] = {new Square(2), new Circle(1), new Square(1.5)};
  double sum = 0;
  for (auto *s : shapes) sum += s->area(), delete s;
  std::printf("\n%g\n", sum);
}
