/* Five bodies and their gravity: divisions and roots between loads and stores of neighbouring doubles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES 5

static double place[BODIES][3], speed[BODIES][3], mass[BODIES];

static void advance(double dt) {
  for (int i = 0; i < BODIES; i++)
    for (int j = i + 1; j < BODIES; j++) {
      double apart[3], square = 0;
      for (int k = 0; k < 3; k++) {
        apart[k] = place[i][k] - place[j][k];
        square += apart[k] * apart[k];
      }
      double force = dt / (square * sqrt(square));
      for (int k = 0; k < 3; k++) {
        speed[i][k] -= apart[k] * mass[j] * force;
        speed[j][k] += apart[k] * mass[i] * force;
      }
    }
  for (int i = 0; i < BODIES; i++)
    for (int k = 0; k < 3; k++) place[i][k] += dt * speed[i][k];
}

int main(int argc, char **argv) {
  long steps = argc > 1 ? atol(argv[1]) : 1000;
  for (int i = 0; i < BODIES; i++) {
    mass[i] = 1.0 / (i + 1);
    for (int k = 0; k < 3; k++) {
      place[i][k] = 1.5 * i + 0.7 * k;
      speed[i][k] = 0.01 * (i - k);
    }
  }
  for (long s = 0; s < steps; s++) advance(1e-3);
  printf("%.9f\n", place[0][0]);
  return 0;
}
