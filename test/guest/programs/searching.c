/* qsort of structures by several keys, bsearch, linear and interpolation search. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct city {
  char name[12];
  int people;
  double area;
};

static struct city cities[] = {{"Paris", 2148, 105.4}, {"Lyon", 516, 47.9},    {"Perpignan", 120, 68.1}, {"Nantes", 309, 65.2},
                               {"Lille", 233, 34.8},   {"Nice", 341, 71.9},    {"Brest", 140, 49.5},     {"Metz", 117, 41.9},
                               {"Toulouse", 486, 118}, {"Bordeaux", 257, 49.4}, {"Rennes", 217, 50.4},    {"Dijon", 156, 40.4}};
enum { N = sizeof cities / sizeof *cities };

static int by_name(const void *a, const void *b) { return strcmp(((const struct city *)a)->name, ((const struct city *)b)->name); }
static int by_people(const void *a, const void *b) { return ((const struct city *)b)->people - ((const struct city *)a)->people; }
static int by_density(const void *a, const void *b) {
  const struct city *x = a, *y = b;
  double p = x->people / x->area, q = y->people / y->area;
  return (p > q) - (p < q);
}

int main(void) {
  int (*const orders[])(const void *, const void *) = {by_people, by_density, by_name};
  for (int o = 0; o < 3; o++) {
    qsort(cities, N, sizeof *cities, orders[o]);
    for (int i = 0; i < N; i++) printf("%s%c", cities[i].name, i + 1 < N ? ' ' : '\n');
  }
  const char *wanted[] = {"Metz", "Aix", "Toulouse", "Zug"};
  for (int i = 0; i < 4; i++) {
    struct city key;
    strcpy(key.name, wanted[i]);
    const struct city *found = bsearch(&key, cities, N, sizeof *cities, by_name);
    printf("%s: %d\n", wanted[i], found ? found->people : -1);
  }
  int table[300], probes = 0;
  for (int i = 0; i < 300; i++) table[i] = i * i / 3;
  for (int want = 0; want < 30000; want += 777) {
    int low = 0, high = 299;
    while (low < high && table[low] < want && table[high] >= want) {
      int at = low + (int)((long)(high - low) * (want - table[low]) / (table[high] - table[low]));
      probes++;
      if (table[at] < want) low = at + 1;
      else if (at == high) high--;
      else high = at;
    }
  }
  printf("%d\n", probes);
  return 0;
}
