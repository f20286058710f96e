/* Calls through tables of function pointers in objects, as virtual methods compile to. */
#include "kernel.h"

#define OBJECTS 1024

typedef struct shape shape;
typedef struct {
  uint64_t (*area)(const shape *);
  void (*grow)(shape *, uint32_t);
} methods;
struct shape {
  const methods *methods;
  uint32_t width, height;
};

static uint64_t rectangle_area(const shape *s) { return (uint64_t)s->width * s->height; }
static uint64_t triangle_area(const shape *s) { return (uint64_t)s->width * s->height / 2; }
static uint64_t square_area(const shape *s) { return (uint64_t)s->width * s->width; }
static uint64_t line_area(const shape *s) { return s->width ^ s->height; }
static void grow_width(shape *s, uint32_t by) { s->width += by; }
static void grow_height(shape *s, uint32_t by) { s->height += by & 3; }
static void grow_both(shape *s, uint32_t by) { s->width ^= by, s->height += 1; }

static const methods kinds[] = {
    {rectangle_area, grow_width}, {triangle_area, grow_height}, {square_area, grow_both}, {line_area, grow_width}};

static KEEP uint64_t visit(shape *shapes, int count) {
  uint64_t sum = 0;
  for (int i = 0; i < count; i++) {
    sum += shapes[i].methods->area(&shapes[i]);
    shapes[i].methods->grow(&shapes[i], (uint32_t)sum & 7);
  }
  return sum;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  static shape shapes[OBJECTS];
  for (int i = 0; i < OBJECTS; i++) shapes[i] = (shape){&kinds[random32() >> 30], random32() >> 20, random32() >> 20};
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) sum += visit(shapes, OBJECTS);
  return checksum(sum);
}
