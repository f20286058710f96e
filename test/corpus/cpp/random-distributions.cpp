// Engines and distributions from fixed seeds.
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

int main() {
  std::mt19937 a(42);
  std::mt19937_64 b(42);
  std::minstd_rand c(7);
  std::ranlux24 d(3);
  std::knuth_b e(9);
  for (int i = 0; i < 5; i++) std::cout << a() << ' ' << b() << ' ' << c() << ' ' << d() << ' ' << e() << '\n';
  a.discard(100000);
  std::cout << a() << '\n';
  std::uniform_int_distribution<int> dice(1, 6);
  std::normal_distribution<double> normal(10, 2);
  std::exponential_distribution<double> exponential(0.5);
  std::poisson_distribution<int> poisson(4);
  std::binomial_distribution<int> binomial(20, 0.3);
  std::gamma_distribution<double> gamma(2, 3);
  std::discrete_distribution<int> discrete{1, 2, 3, 4};
  std::bernoulli_distribution coin(0.25);
  double sums[8] = {};
  for (int i = 0; i < 500; i++) {
    sums[0] += dice(a), sums[1] += normal(a), sums[2] += exponential(b), sums[3] += poisson(a);
    sums[4] += binomial(b), sums[5] += gamma(a), sums[6] += discrete(b), sums[7] += coin(a);
  }
  std::cout.precision(12);
  for (double s : sums) std::cout << s << ' ';
  std::seed_seq seq{1, 2, 3};
  std::vector<unsigned> seeds(4);
  seq.generate(seeds.begin(), seeds.end());
  std::cout << seeds[3] << ' ' << std::generate_canonical<double, 53>(a) << '\n';
}
