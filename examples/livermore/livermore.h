/* The Livermore Fortran Kernels 1 to 12: their data, as in the common blocks of the original, and what runs them. */
#ifndef LIVERMORE_H
#define LIVERMORE_H

#define KERNELS 12

/* x has room for the 1,500 elements of xz, which lies over it. */
extern double x[1500], y[1001], z[1012], u[1001], v[1001], w[64];
extern double b[64][64], px[101][25], cx[101][25];
extern double u1[2][101][5], u2[2][101][5], u3[2][101][5];
extern double du1[101], du2[101], du3[101];

extern double q, r, t, c0, sig;
extern double a11, a12, a13, a21, a22, a23, a31, a32, a33;
extern double dm22, dm23, dm24, dm25, dm26, dm27, dm28;

/* Each takes the number of elements, n of the original. */
void kernel1(int n);
void kernel2(int n);
void kernel3(int n);
void kernel4(int n);
void kernel5(int n);
void kernel6(int n);
void kernel7(int n);
void kernel8(int n);
void kernel9(int n);
void kernel10(int n);
void kernel11(int n);
void kernel12(int n);

/* The same values in every array at every start: multiples of 1/1024 between 0 and 1, so that all of them are exact. */
void fill(void);

/* Adds up what a kernel writes. */
double checksum(int kernel);

#endif
