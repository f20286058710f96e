/* Filters over an image of bytes: blur, edges, histogram equalisation, bilinear scaling, dithering. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define W 48
#define H 40
static uint8_t image[H][W], out[H][W], big[H * 2][W * 2];
static unsigned hash(const uint8_t *p, int n) { unsigned h = 5381; while (n--) h = h * 33 ^ *p++; return h; }

int main(void) {
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) image[y][x] = (uint8_t)((x * x + y * 37 + (x ^ y) * 5) >> 1);
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++) {
      int sum = 0;
      for (int dy = -1; dy < 2; dy++) for (int dx = -1; dx < 2; dx++) sum += image[y + dy][x + dx] * (2 - abs(dx)) * (2 - abs(dy));
      out[y][x] = (uint8_t)((sum + 8) >> 4);
    }
  printf("%u\n", hash(out[0], W * H));
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++) {
      int gx = image[y - 1][x + 1] + 2 * image[y][x + 1] + image[y + 1][x + 1] - image[y - 1][x - 1] - 2 * image[y][x - 1] - image[y + 1][x - 1];
      int gy = image[y + 1][x - 1] + 2 * image[y + 1][x] + image[y + 1][x + 1] - image[y - 1][x - 1] - 2 * image[y - 1][x] - image[y - 1][x + 1];
      int g = abs(gx) + abs(gy);
      out[y][x] = (uint8_t)(g > 255 ? 255 : g);
    }
  printf("%u\n", hash(out[0], W * H));
  int count[256] = {0}, map[256], total = 0;
  for (int i = 0; i < W * H; i++) count[((uint8_t *)image)[i]]++;
  for (int i = 0; i < 256; i++) total += count[i], map[i] = total * 255 / (W * H);
  for (int i = 0; i < W * H; i++) ((uint8_t *)out)[i] = (uint8_t)map[((uint8_t *)image)[i]];
  printf("%u\n", hash(out[0], W * H));
  for (int y = 0; y < H * 2; y++)
    for (int x = 0; x < W * 2; x++) {
      float fx = (float)x / 2, fy = (float)y / 2;
      int ix = (int)fx, iy = (int)fy, jx = ix + 1 < W ? ix + 1 : ix, jy = iy + 1 < H ? iy + 1 : iy;
      fx -= (float)ix, fy -= (float)iy;
      float a = image[iy][ix] * (1 - fx) + image[iy][jx] * fx, b = image[jy][ix] * (1 - fx) + image[jy][jx] * fx;
      big[y][x] = (uint8_t)(a * (1 - fy) + b * fy + 0.5f);
    }
  printf("%u\n", hash(big[0], W * H * 4));
}
