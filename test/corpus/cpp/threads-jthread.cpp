// corpus: uncounted apart:20000 -pthread not:clang-O0,clang-O2
// jthread with stop tokens, latch, barrier, counting_semaphore, shared_mutex, call_once, atomic wait.
#include <atomic>
#include <barrier>
#include <iostream>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

int main() {
  std::latch ready(3);
  std::counting_semaphore<4> tokens(2);
  std::atomic<int> done = 0, phases = 0;
  std::shared_mutex rw;
  std::once_flag once;
  int shared = 0, initialised = 0;
  {
    std::barrier sync(3, [&]() noexcept { phases++; });
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; t++)
      threads.emplace_back([&, t] {
        std::call_once(once, [&] { initialised++; });
        ready.arrive_and_wait();
        for (int i = 0; i < 4; i++) {
          tokens.acquire();
          { std::unique_lock lock(rw); shared += t + 1; }
          tokens.release();
          sync.arrive_and_wait();
          { std::shared_lock lock(rw); if (shared != 6 * (i + 1)) done = 100; }
          sync.arrive_and_wait();
        }
        done++;
        done.notify_all();
      });
  }
  std::cout << done << phases << shared << initialised << '\n';
  std::atomic<bool> stopped = false;
  std::jthread waiter([&](std::stop_token s) { while (!s.stop_requested()) std::this_thread::yield(); stopped = true; stopped.notify_one(); });
  waiter.request_stop();
  stopped.wait(false);
  std::cout << stopped << '\n';
}
