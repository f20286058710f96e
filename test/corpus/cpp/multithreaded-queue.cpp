// corpus: uncounted apart:20000 -pthread
// A pool of threads with a queue of tasks and futures; results in the order of submission.
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <vector>

class Pool {
  std::mutex m;
  std::condition_variable c;
  std::queue<std::function<void()>> tasks;
  bool done = false;
  std::vector<std::thread> threads;
 public:
  explicit Pool(int n) {
    for (int i = 0; i < n; i++)
      threads.emplace_back([this] {
        for (;;) {
          std::function<void()> t;
          { std::unique_lock l(m); c.wait(l, [this] { return done || !tasks.empty(); }); if (tasks.empty()) return; t = std::move(tasks.front()); tasks.pop(); }
          t();
        }
      });
  }
  ~Pool() { { std::lock_guard l(m); done = true; } c.notify_all(); for (auto &t : threads) t.join(); }
  template <class F> auto run(F f) { auto p = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f)); auto r = p->get_future(); { std::lock_guard l(m); tasks.push([p] { (*p)(); }); } c.notify_one(); return r; }
};

int main() {
  std::vector<std::future<long>> results;
  Pool pool(3);
  for (long i = 0; i < 20; i++) results.push_back(pool.run([i] { if (i == 13) throw std::runtime_error("thirteen"); long s = i; for (int k = 0; k < 1000; k++) s = (s * 31 + k) % 1000003; return s; }));
  for (auto &r : results) try { std::cout << r.get() << ' '; } catch (std::exception &e) { std::cout << e.what() << ' '; }
  std::cout << '\n';
}
