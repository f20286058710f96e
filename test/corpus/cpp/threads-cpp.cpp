// corpus: uncounted apart:20000 -pthread
// std::thread, mutex, condition_variable, future, async, packaged_task, exceptions between threads, thread_local.
#include <atomic>
#include <condition_variable>
#include <future>
#include <iostream>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

static thread_local int calls;
static int count(int n) { for (int i = 0; i < n; i++) calls++; return calls; }

int main() {
  std::vector<std::thread> threads;
  std::mutex m;
  long sum = 0;
  std::atomic<int> hits = 0;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; i++) { std::lock_guard lock(m); sum += i * t; hits++; }
    });
  for (auto &t : threads) t.join();
  std::cout << sum << ' ' << hits << '\n';
  std::vector<std::future<int>> futures;
  for (int i = 1; i < 5; i++) futures.push_back(std::async(std::launch::async, count, i * 100));
  for (auto &f : futures) std::cout << f.get() << ' ';
  std::promise<int> promise;
  auto result = promise.get_future();
  std::thread thrower([&] { try { throw std::runtime_error("from a thread"); } catch (...) { promise.set_exception(std::current_exception()); } });
  try { result.get(); } catch (std::exception &e) { std::cout << e.what() << '\n'; }
  thrower.join();
  std::condition_variable c;
  int turn = 0;
  std::string out;
  auto player = [&](int me, char letter) {
    for (int i = 0; i < 5; i++) { std::unique_lock lock(m); c.wait(lock, [&] { return turn % 2 == me; }); out += letter; turn++; c.notify_all(); }
  };
  std::thread ping(player, 0, 'p'), pong(player, 1, 'q');
  ping.join(), pong.join();
  std::packaged_task<int(int)> task([](int x) { return x * x; });
  auto square = task.get_future();
  std::thread(std::move(task), 12).join();
  std::cout << out << square.get() << calls << '\n';
}
