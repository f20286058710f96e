// unique_ptr, shared_ptr, weak_ptr, custom deleters, cycles, enable_shared_from_this, placement new, allocators.
#include <iostream>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

static int alive;
struct Node : std::enable_shared_from_this<Node> {
  std::string name;
  std::vector<std::shared_ptr<Node>> children;
  std::weak_ptr<Node> parent;
  explicit Node(std::string n) : name(std::move(n)) { alive++; }
  ~Node() { alive--; }
  std::shared_ptr<Node> add(std::string n) { auto c = std::make_shared<Node>(std::move(n)); c->parent = shared_from_this(); children.push_back(c); return c; }
};
struct alignas(64) Wide { int v[16]; };

int main() {
  std::weak_ptr<Node> watch;
  {
    auto root = std::make_shared<Node>("root");
    auto leaf = root->add("child")->add("leaf");
    watch = leaf;
    std::cout << alive << root.use_count() << leaf.use_count() << leaf->parent.lock()->parent.lock()->name << watch.expired() << '\n';
    root.reset();
    std::cout << alive << (leaf->parent.lock() == nullptr) << '\n';
  }
  std::cout << alive << watch.expired() << '\n';
  auto close = [](int *p) { std::cout << "deleted " << *p << '\n'; delete p; };
  { std::unique_ptr<int, decltype(close)> p(new int(5), close); std::shared_ptr<int> q(new int(6), close); auto r = std::move(p); }
  std::shared_ptr<Node> whole = std::make_shared<Node>("aliased");
  std::shared_ptr<std::string> part(whole, &whole->name);
  whole.reset();
  std::cout << *part << alive << '\n';
  auto wide = std::make_unique<Wide[]>(3);
  alignas(Node) unsigned char room[sizeof(Node)];
  auto *placed = new (room) Node("placed");
  std::cout << reinterpret_cast<size_t>(wide.get()) % 64 << placed->name << '\n';
  placed->~Node();
  char buffer[4096];
  std::pmr::monotonic_buffer_resource pool(buffer, sizeof buffer);
  std::pmr::vector<std::pmr::string> v(&pool);
  for (int i = 0; i < 20; i++) v.emplace_back(std::to_string(i * i) + " some text that is long");
  std::cout << v.size() << v.back() << (static_cast<void *>(v.data()) >= buffer && static_cast<void *>(v.data()) < buffer + sizeof buffer) << '\n';
}
