#include "kernels.h"
#include <stdio.h>

enum { SIZE = 480 };

static double matrix[SIZE * SIZE], in[SIZE], out[SIZE];

int main(void) {
  for (int i = 0; i < SIZE; i++) in[i] = i % 7;
  for (int i = 0; i < SIZE * SIZE; i++) matrix[i] = i % 5;
  for (int round = 0; round < 10; round++) {
    smooth(SIZE, out, in);
    triangle(SIZE, in, matrix, out);
    for (int i = 0; i < SIZE; i++) in[i] /= SIZE;
  }
  double sum = 0;
  for (int i = 0; i < SIZE; i++) sum += in[i];
  printf("%.10g\n", sum);
  return 0;
}
