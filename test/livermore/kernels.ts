/**
 * The twelve kernels and their data once more, from the published formulas, as an oracle for the programs of
 * examples/livermore: JavaScript's numbers are IEEE doubles without fused operations, so that sums are equal to the last bit.
 */
export function checksumOf(kernel: number, repetitions: number): number {
  const data = new Data();
  for (let i = 0; i < repetitions; i++) data.run(kernel);
  return data.checksum(kernel);
}

const value = (i: number, start: number): number => (((i * 37 + start * 101) % 1009) + 1) / 1024;

const array = (count: number, start: number): number[] =>
  Array.from({ length: count }, (_, i) => value(i, start));

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

class Data {
  x = array(1500, 1);
  y = array(1001, 2);
  z = array(1012, 3);
  u = array(1001, 4);
  v = array(1001, 5);
  w = array(64, 6);
  /** Rows of 64, of 25, and planes of 101 rows of 5. */
  b = array(64 * 64, 7).map((each) => each / 64);
  px = array(101 * 25, 8);
  cx = array(101 * 25, 9);
  us = [array(1010, 10), array(1010, 11), array(1010, 12)];
  dus = [0, 1, 2].map(() => new Array<number>(101).fill(0));
  q = value(0, 13);
  r = value(1, 13);
  t = value(2, 13);
  c0 = value(3, 13);
  sig = value(4, 13);
  a = [0, 1, 2].map((i) => [0, 1, 2].map((j) => value(5 + 3 * i + j, 13)));
  /** dm22 to dm28. */
  dm = Array.from({ length: 7 }, (_, i) => value(14 + i, 13));

  run(kernel: number): void {
    const { x, y, z, u, v, w, b, px, cx, q, r, t } = this;
    switch (kernel) {
      case 1:
        for (let k = 0; k < 1001; k++) x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
        return;
      case 2: {
        // Each pass halves the elements behind the last: 101, 50, 25, 12, 6, 3.
        let first = 0;
        for (const length of [101, 50, 25, 12, 6, 3]) {
          const end = first + length;
          for (let k = first + 1, i = end + 1; k < end; k += 2, i++)
            x[i] = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1];
          first = end;
        }
        return;
      }
      case 3: {
        let total = 0;
        for (let k = 0; k < 1001; k++) total += z[k] * x[k];
        this.q = total;
        return;
      }
      case 4:
        for (const k of [6, 503, 1000]) {
          let temp = x[k - 1];
          for (let j = 0; j < 200; j++) temp -= x[k - 6 + j] * y[4 + 5 * j];
          x[k - 1] = y[4] * temp;
        }
        return;
      case 5:
        for (let i = 1; i < 1001; i++) x[i] = z[i] * (y[i] - x[i - 1]);
        return;
      case 6:
        for (let i = 1; i < 64; i++) {
          w[i] = 0.01;
          for (let k = 0; k < i; k++) w[i] += b[64 * k + i] * w[i - k - 1];
        }
        return;
      case 7:
        for (let k = 0; k < 995; k++) {
          const near = u[k + 3] + r * (u[k + 2] + r * u[k + 1]);
          const far = u[k + 6] + q * (u[k + 5] + q * u[k + 4]);
          x[k] = u[k] + r * (z[k] + r * y[k]) + t * (near + t * far);
        }
        return;
      case 8:
        for (const kx of [1, 2]) for (let ky = 1; ky < 100; ky++) this.implicit(kx, ky);
        return;
      case 9:
        for (let at = 0; at < px.length; at += 25) {
          let total = this.dm[6] * px[at + 12];
          for (let j = 5; j >= 0; j--) total += this.dm[j] * px[at + 6 + j];
          px[at] = total + this.c0 * (px[at + 4] + px[at + 5]) + px[at + 2];
        }
        return;
      case 10:
        for (let at = 0; at < px.length; at += 25) {
          let difference = cx[at + 4];
          for (let j = 4; j < 13; j++) {
            const before = px[at + j];
            px[at + j] = difference;
            difference -= before;
          }
          px[at + 13] = difference;
        }
        return;
      case 11:
        for (let k = 1; k < 1001; k++) x[k] = x[k - 1] + y[k];
        return;
      case 12:
        for (let k = 0; k < 1000; k++) x[k] = y[k + 1] - y[k];
    }
  }

  private implicit(kx: number, ky: number): void {
    const at = (plane: number, row: number, column: number): number => 505 * plane + 5 * row + column;
    this.us.forEach((each, i) => {
      this.dus[i][ky] = each[at(0, ky + 1, kx)] - each[at(0, ky - 1, kx)];
    });
    this.us.forEach((each, i) => {
      const centre = each[at(0, ky, kx)];
      const along = this.dus.reduce((total, du, j) => total + this.a[i][j] * du[ky], centre);
      const across = each[at(0, ky, kx + 1)] - 2 * centre + each[at(0, ky, kx - 1)];
      each[at(1, ky, kx)] = along + this.sig * across;
    });
  }

  checksum(kernel: number): number {
    switch (kernel) {
      case 3:
        return this.q;
      case 6:
        return sum(this.w);
      case 8:
        return [...this.us, ...this.dus].map(sum).reduce((total, each) => total + each);
      case 9:
      case 10:
        return sum(this.px);
      default:
        return sum(this.x);
    }
  }
}
