/* Arrays of structures against structures of arrays; sorting, copying, comparing, nested assignment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { float x, y, z; int id; } Point;
typedef struct { float x[256], y[256], z[256]; int id[256]; } Points;
static int nearer(const void *a, const void *b) {
  const Point *p = a, *q = b;
  float d = p->x * p->x + p->y * p->y + p->z * p->z, e = q->x * q->x + q->y * q->y + q->z * q->z;
  return d != e ? (d > e) - (d < e) : p->id - q->id;
}

int main(void) {
  static Point list[256], copy[256];
  static Points points;
  for (int i = 0; i < 256; i++) {
    list[i] = (Point){(float)(i * 37 % 101) - 50, (float)(i * 17 % 61) / 4, .id = i};
    list[i].z = list[i].x * 0.5f - list[i].y;
    points.x[i] = list[i].x, points.y[i] = list[i].y, points.z[i] = list[i].z, points.id[i] = i;
  }
  memcpy(copy, list, sizeof list);
  qsort(copy, 256, sizeof *copy, nearer);
  float sum = 0, other = 0;
  for (int i = 0; i < 256; i++) sum += list[i].x * list[i].y + list[i].z;
  for (int i = 0; i < 256; i++) other += points.x[i] * points.y[i] + points.z[i];
  Points again = points;
  for (int i = 0; i < 128; i++) { Point t = list[i]; list[i] = list[255 - i]; list[255 - i] = t; }
  printf("%a %a %d %d %d %d %d\n", sum, other, copy[0].id, copy[255].id, memcmp(&again, &points, sizeof points), list[3].id, memcmp(copy, list, sizeof list) != 0);
}
