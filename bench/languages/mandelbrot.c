/* Escape times of the Mandelbrot set: an inner loop of doubles that is left from its middle. */
#include <stdio.h>
#include <stdlib.h>

#define SIDE 256
#define MOST 100

int main(int argc, char **argv) {
  int repetitions = argc > 1 ? atoi(argv[1]) : 10;
  long sum = 0;
  for (int r = 0; r < repetitions; r++)
    for (int row = 0; row < SIDE; row++)
      for (int column = 0; column < SIDE; column++) {
        double a = 2.0 * column / SIDE - 1.5 + r * 1e-3, b = 2.0 * row / SIDE - 1;
        double x = 0, y = 0;
        int n = 0;
        while (n < MOST && x * x + y * y < 4) {
          double next = x * x - y * y + a;
          y = 2 * x * y + b;
          x = next;
          n++;
        }
        sum += n;
      }
  printf("%ld\n", sum);
  return 0;
}
