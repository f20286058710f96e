// corpus: not:clang-O0,clang-O2
// std::experimental::simd and loops that vectorise over several types.
#include <cstdint>
#include <experimental/simd>
#include <iostream>
#include <numeric>
#include <vector>

namespace stdx = std::experimental;
template <class T> static T dot(const std::vector<T> &a, const std::vector<T> &b) { T s{}; for (size_t i = 0; i < a.size(); i++) s += a[i] * b[i]; return s; }
template <class T> static void each(const char *name) {
  std::vector<T> a(333), b(333);
  for (size_t i = 0; i < 333; i++) a[i] = static_cast<T>(i * 7 % 51), b[i] = static_cast<T>(i % 13) - T(3);
  for (size_t i = 0; i < 333; i++) a[i] = a[i] > b[i] ? a[i] - b[i] : static_cast<T>(b[i] * T(2));
  std::cout << name << ' ' << +dot(a, b) << ' ' << +std::accumulate(a.begin(), a.end(), T{}) << '\n';
}

int main() {
  each<int8_t>("i8"), each<uint16_t>("u16"), each<int32_t>("i32"), each<int64_t>("i64"), each<float>("f32"), each<double>("f64");
  using V = stdx::fixed_size_simd<float, 8>;
  V x([](int i) { return 0.5f * static_cast<float>(i) - 1; }), y = 2.0f;
  V z = x * x + y;
  stdx::where(x < 0, z) = -z;
  std::cout << stdx::reduce(z) << ' ' << stdx::hmax(z) << ' ' << stdx::popcount(z > 2) << ' ' << stdx::any_of(z == 2) << '\n';
  stdx::fixed_size_simd<int, 4> n([](int i) { return i * i; });
  std::cout << stdx::reduce(n) << ' '<< (n.size() >= 4) << '\n';
}
