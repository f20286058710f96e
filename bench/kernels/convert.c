/* Conversions between integers and floating point in both precisions, as filters and mixers of samples have them. */
#include "kernel.h"

#define LENGTH 4096

static int samples[LENGTH];
static float gains[LENGTH];
static double sums[LENGTH];

static KEEP void mix(float volume) {
  for (int i = 0; i < LENGTH; i++) gains[i] = (float)samples[i] * volume;
  for (int i = 0; i < LENGTH; i++) sums[i] = sums[i] * 0.5 + gains[i];
  for (int i = 0; i < LENGTH; i++) samples[i] = (int)sums[i] ^ (int)gains[i];
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  for (int i = 0; i < LENGTH; i++) samples[i] = (int)(random32() >> 8);
  for (uint64_t r = 0; r < repetitions; r++) mix(0.75f);
  uint64_t sum = 0;
  for (int i = 0; i < LENGTH; i++) sum = sum * 31 + (uint32_t)samples[i];
  return checksum(sum);
}
