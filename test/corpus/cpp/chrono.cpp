// Durations and calendar dates; clocks only say that they advance.
#include <chrono>
#include <iostream>
#include <ratio>

using namespace std::chrono;
using namespace std::chrono_literals;

int main() {
  auto d = 1h + 23min + 45s + 678ms;
  std::cout << d.count() << ' ' << duration_cast<minutes>(d).count() << ' ' << duration<double, std::ratio<3600>>(d).count() << ' ' << round<seconds>(d).count() << ' ' << floor<hours>(-d).count() << '\n';
  year_month_day day{2024y / February / 29};
  auto days1 = sys_days(day);
  std::cout << days1.time_since_epoch().count() << day.ok() << (2023y / 2 / 29).ok() << weekday(days1).c_encoding() << ' ';
  auto next = year_month_day(days1 + days(366));
  std::cout << int(next.year()) << '-' << unsigned(next.month()) << '-' << unsigned(next.day()) << ' ' << year(2000).is_leap() << year(1900).is_leap() << '\n';
  auto last = year_month_day(2023y / February / std::chrono::last);
  std::cout << unsigned(last.day()) << ' ' << (sys_days(2024y / 12 / 25) - sys_days(2024y / 1 / 1)).count() << ' ' << weekday_indexed(Monday, 3).index() << '\n';
  auto a = steady_clock::now();
  volatile int spin = 0;
  for (int i = 0; i < 1000; i++) spin = spin + i;
  auto b = steady_clock::now();
  std::cout << (b >= a) << (system_clock::now().time_since_epoch() > 0s) << (high_resolution_clock::is_steady || true) << '\n';
  hh_mm_ss split(d);
  std::cout << split.hours().count() << ':' << split.minutes().count() << ':' << split.seconds().count() << '.' << split.subseconds().count() << '\n';
}
