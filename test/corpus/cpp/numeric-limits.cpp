// numeric_limits, complex, valarray, special functions, bit operations of <bit> and bitset.
#include <bit>
#include <bitset>
#include <cmath>
#include <complex>
#include <iostream>
#include <limits>
#include <numbers>
#include <valarray>

template <class T> void limits(const char *n) {
  using L = std::numeric_limits<T>;
  std::cout << n << ' ' << +L::max() << ' ' << +L::lowest() << ' ' << L::digits << L::is_signed << L::is_integer << L::radix << '\n';
}

int main() {
  limits<char>("char"), limits<short>("short"), limits<unsigned>("unsigned"), limits<long>("long"), limits<float>("float"), limits<double>("double"), limits<long double>("long double");
  std::complex<double> z(1, 2), w = std::polar(2.0, 0.5);
  std::cout.precision(10);
  std::cout << z * w << z / w << std::pow(z, 2.5) << std::exp(w) << std::abs(z) << std::arg(w) << std::conj(z) << '\n';
  std::valarray<double> v{1, 2, 3, 4, 5, 6}, u = v * 2.0 + std::sqrt(v);
  std::cout << u.sum() << ' ' << u.max() << ' ' << std::valarray<double>(v[std::slice(1, 3, 2)]).sum() << ' ' << std::valarray<double>(v[v > 3.0]).size() << ' ' << v.cshift(2)[0] << '\n';
  std::cout << std::riemann_zeta(2) << ' ' << std::legendre(3, 0.5) << ' ' << std::beta(2.5, 1.5) << ' ' << std::cyl_bessel_j(1, 2.0) << ' ' << std::lerp(1.0, 5.0, 0.25) << ' ' << std::hypot(1.0, 2.0, 3.0) << std::numbers::pi << '\n';
  std::bitset<70> bits("1011001");
  bits <<= 40, bits.flip(3), bits |= 5;
  std::cout << bits << bits.count() << (bits >> 38).to_ulong() << bits.test(43) << '\n';
  std::cout << std::popcount(0xffu) << std::countl_zero(1u) << std::countr_one(7u) << std::rotl(0x80000001u, 4) << std::bit_ceil(100u) << std::bit_width(255u) << std::has_single_bit(64u) << std::bit_cast<unsigned>(1.0f) << (std::endian::native == std::endian::little) << '\n';
}
