// Areas of shapes by virtual functions, of three classes in random order.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Circle : Shape {
  double radius;
  explicit Circle(double r) : radius(r) {}
  double area() const override { return 3.14159 * radius * radius; }
};

struct Rectangle : Shape {
  double width, height;
  Rectangle(double w, double h) : width(w), height(h) {}
  double area() const override { return width * height; }
};

struct Triangle : Shape {
  double a, b, c;
  explicit Triangle(double side) : a(side), b(side), c(side) {}
  double area() const override {
    double half = (a + b + c) / 2;
    return std::sqrt(half * (half - a) * (half - b) * (half - c));
  }
};

int main(int argc, char **argv) {
  int repetitions = argc > 1 ? atoi(argv[1]) : 10;
  std::vector<std::unique_ptr<Shape>> shapes;
  uint32_t random = 1;
  for (int i = 0; i < 5000; i++) {
    random = random * 1664525 + 1013904223;
    double size = (random >> 20) / 100.0 + 1;
    switch ((random >> 9) % 3) {
      case 0:
        shapes.push_back(std::make_unique<Circle>(size));
        break;
      case 1:
        shapes.push_back(std::make_unique<Rectangle>(size, 2));
        break;
      default:
        shapes.push_back(std::make_unique<Triangle>(size));
    }
  }
  double sum = 0;
  for (int r = 0; r < repetitions; r++)
    for (const auto &shape : shapes) sum += shape->area();
  printf("%g\n", sum);
}
