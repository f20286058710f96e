/*
 * F. H. McMahon, The Livermore Fortran Kernels: A Computer Test of the Numerical Performance Range, UCRL-53745, 1986.
 * Kernels 1 to 12, with arrays from 0. What the innermost loops ask of a machine is in README.md.
 */
#include "livermore.h"

double x[1500], y[1001], z[1012], u[1001], v[1001], w[64];
double b[64][64], px[101][25], cx[101][25];
double u1[2][101][5], u2[2][101][5], u3[2][101][5];
double du1[101], du2[101], du3[101];

double q, r, t, c0, sig;
double a11, a12, a13, a21, a22, a23, a31, a32, a33;
double dm22, dm23, dm24, dm25, dm26, dm27, dm28;

/* Hydro fragment. */
void kernel1(int n)
{
    for (int k = 0; k < n; k++)
        x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}

/* Incomplete Cholesky, conjugate gradient. */
void kernel2(int n)
{
    int ii = n;
    int ipntp = 0;
    do {
        int ipnt = ipntp;
        ipntp += ii;
        ii /= 2;
        int i = ipntp;
        for (int k = ipnt + 1; k < ipntp; k += 2) {
            i++;
            x[i] = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1];
        }
    } while (ii > 1);
}

/* Inner product. */
void kernel3(int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += z[k] * x[k];
    q = sum;
}

/* Banded linear equations. */
void kernel4(int n)
{
    int m = (1001 - 7) / 2;
    for (int k = 6; k < 1001; k += m) {
        int lw = k - 6;
        double temp = x[k - 1];
        for (int j = 4; j < n; j += 5) {
            temp -= x[lw] * y[j];
            lw++;
        }
        x[k - 1] = y[4] * temp;
    }
}

/* Tri-diagonal elimination, below the diagonal. */
void kernel5(int n)
{
    for (int i = 1; i < n; i++)
        x[i] = z[i] * (y[i] - x[i - 1]);
}

/* General linear recurrence equations. */
void kernel6(int n)
{
    for (int i = 1; i < n; i++) {
        w[i] = 0.01;
        for (int k = 0; k < i; k++)
            w[i] += b[k][i] * w[i - k - 1];
    }
}

/* Equation of state fragment. */
void kernel7(int n)
{
    for (int k = 0; k < n; k++)
        x[k] = u[k] + r * (z[k] + r * y[k])
            + t * (u[k + 3] + r * (u[k + 2] + r * u[k + 1])
                + t * (u[k + 6] + q * (u[k + 5] + q * u[k + 4])));
}

/* Alternating direction implicit integration. */
void kernel8(int n)
{
    const int nl1 = 0;
    const int nl2 = 1;
    for (int kx = 1; kx < 3; kx++)
        for (int ky = 1; ky < n; ky++) {
            du1[ky] = u1[nl1][ky + 1][kx] - u1[nl1][ky - 1][kx];
            du2[ky] = u2[nl1][ky + 1][kx] - u2[nl1][ky - 1][kx];
            du3[ky] = u3[nl1][ky + 1][kx] - u3[nl1][ky - 1][kx];
            u1[nl2][ky][kx] = u1[nl1][ky][kx] + a11 * du1[ky] + a12 * du2[ky] + a13 * du3[ky]
                + sig * (u1[nl1][ky][kx + 1] - 2.0 * u1[nl1][ky][kx] + u1[nl1][ky][kx - 1]);
            u2[nl2][ky][kx] = u2[nl1][ky][kx] + a21 * du1[ky] + a22 * du2[ky] + a23 * du3[ky]
                + sig * (u2[nl1][ky][kx + 1] - 2.0 * u2[nl1][ky][kx] + u2[nl1][ky][kx - 1]);
            u3[nl2][ky][kx] = u3[nl1][ky][kx] + a31 * du1[ky] + a32 * du2[ky] + a33 * du3[ky]
                + sig * (u3[nl1][ky][kx + 1] - 2.0 * u3[nl1][ky][kx] + u3[nl1][ky][kx - 1]);
        }
}

/* Integrate predictors. */
void kernel9(int n)
{
    for (int i = 0; i < n; i++)
        px[i][0] = dm28 * px[i][12] + dm27 * px[i][11] + dm26 * px[i][10] + dm25 * px[i][9]
            + dm24 * px[i][8] + dm23 * px[i][7] + dm22 * px[i][6]
            + c0 * (px[i][4] + px[i][5]) + px[i][2];
}

/* Difference predictors. */
void kernel10(int n)
{
    for (int i = 0; i < n; i++) {
        double ar, br, cr;
        ar = cx[i][4];
        br = ar - px[i][4];
        px[i][4] = ar;
        cr = br - px[i][5];
        px[i][5] = br;
        ar = cr - px[i][6];
        px[i][6] = cr;
        br = ar - px[i][7];
        px[i][7] = ar;
        cr = br - px[i][8];
        px[i][8] = br;
        ar = cr - px[i][9];
        px[i][9] = cr;
        br = ar - px[i][10];
        px[i][10] = ar;
        cr = br - px[i][11];
        px[i][11] = br;
        px[i][13] = cr - px[i][12];
        px[i][12] = cr;
    }
}

/* First sum. */
void kernel11(int n)
{
    for (int k = 1; k < n; k++)
        x[k] = x[k - 1] + y[k];
}

/* First difference. */
void kernel12(int n)
{
    for (int k = 0; k < n; k++)
        x[k] = y[k + 1] - y[k];
}
