// Throwing and catching by type, value, reference and pointer, through frames with destructors.
#include <cstdio>
#include <stdexcept>
#include <string>

struct Base { virtual ~Base() = default; virtual const char *name() const { return "base"; } };
struct Derived : Base { const char *name() const override { return "derived"; } };
struct Guard { int id; ~Guard() { std::printf("~%d ", id); } };

static void raise(int n) {
  Guard g{n};
  switch (n % 8) {
    case 0: throw 42;
    case 1: throw 2.5;
    case 2: throw std::runtime_error("runtime " + std::to_string(n));
    case 3: throw Derived();
    case 4: throw "text";
    case 5: throw new Derived;
    case 6: throw std::string("string");
    default: return;
  }
}
static int attempt(int n) {
  Guard outer{n + 100};
  try {
    Guard inner{n + 200};
    raise(n);
    return 0;
  } catch (int i) { return i;
  } catch (double d) { return static_cast<int>(d * 100);
  } catch (const std::exception &e) { std::printf("%s ", e.what()); return 3;
  } catch (Base &b) { std::printf("%s ", b.name()); return 4;
  } catch (const char *s) { std::printf("%s ", s); return 5;
  } catch (Base *b) { std::printf("%s ", b->name()); delete b; return 6;
  } catch (...) { return 7; }
}

int main() {
  for (int i = 0; i < 16; i++) std::printf("%d\n", attempt(i));
}
