// A discrete-event simulation with a priority queue, polymorphic events and a generator of its own.
#include <cstdint>
#include <iostream>
#include <memory>
#include <queue>
#include <string>
#include <vector>

struct World;
struct Event { double time; explicit Event(double t) : time(t) {} virtual ~Event() = default; virtual void run(World &) = 0; };
struct Later { bool operator()(const std::unique_ptr<Event> &a, const std::unique_ptr<Event> &b) const { return a->time > b->time; } };
struct World {
  std::priority_queue<std::unique_ptr<Event>, std::vector<std::unique_ptr<Event>>, Later> events;
  uint64_t state = 12345;
  int waiting = 0, busy = 0, served = 0, most = 0;
  double now = 0, waited = 0;
  std::queue<double> arrivals;
  double random() { state = state * 6364136223846793005u + 1442695040888963407u; return static_cast<double>(state >> 11) / 9007199254740992.0; }
  void add(std::unique_ptr<Event> e) { events.push(std::move(e)); }
  void start();
};
struct Departure : Event { using Event::Event; void run(World &w) override { w.busy--, w.served++, w.start(); } };
struct Arrival : Event {
  using Event::Event;
  void run(World &w) override {
    w.arrivals.push(w.now);
    w.most = std::max(w.most, static_cast<int>(w.arrivals.size()));
    if (w.served < 2000) w.add(std::make_unique<Arrival>(w.now + w.random()));
    w.start();
  }
};
void World::start() {
  while (busy < 2 && !arrivals.empty()) {
    waited += now - arrivals.front();
    arrivals.pop(), busy++;
    add(std::make_unique<Departure>(now + 0.5 + random()));
  }
}

int main() {
  World w;
  w.add(std::make_unique<Arrival>(0));
  long steps = 0;
  for (; !w.events.empty(); steps++) {
    auto e = std::move(const_cast<std::unique_ptr<Event> &>(w.events.top()));
    w.events.pop();
    w.now = e->time;
    e->run(w);
    if (steps % 800 == 0) std::cout << steps << ' ' << w.served << ' ' << w.now << '\n';
  }
  std::cout << steps << ' ' << w.served << ' ' << w.most << ' ' << w.waited / w.served << '\n';
}
