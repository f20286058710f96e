#include "livermore.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(double)))

/* From 1/1024 to 1009/1024; `start` makes arrays differ. */
static double value(int i, int start)
{
    return (double)((i * 37 + start * 101) % 1009 + 1) / 1024.0;
}

static void fill_array(double *array, int count, int start)
{
    for (int i = 0; i < count; i++)
        array[i] = value(i, start);
}

void fill(void)
{
    fill_array(x, COUNT(x), 1);
    fill_array(y, COUNT(y), 2);
    fill_array(z, COUNT(z), 3);
    fill_array(u, COUNT(u), 4);
    fill_array(v, COUNT(v), 5);
    fill_array(w, COUNT(w), 6);
    fill_array(&px[0][0], COUNT(px), 8);
    fill_array(&cx[0][0], COUNT(cx), 9);
    fill_array(&u1[0][0][0], COUNT(u1), 10);
    fill_array(&u2[0][0][0], COUNT(u2), 11);
    fill_array(&u3[0][0][0], COUNT(u3), 12);
    /* Kernel 6 multiplies its results by these again and again: small enough that they stay small. */
    for (int k = 0; k < 64; k++)
        for (int i = 0; i < 64; i++)
            b[k][i] = value(k * 64 + i, 7) / 64.0;

    double *const coefficients[] = {
        &q, &r, &t, &c0, &sig, &a11, &a12, &a13, &a21, &a22, &a23, &a31, &a32, &a33,
        &dm22, &dm23, &dm24, &dm25, &dm26, &dm27, &dm28,
    };
    for (int i = 0; i < (int)(sizeof coefficients / sizeof *coefficients); i++)
        *coefficients[i] = value(i, 13);
}

static double sum(const double *array, int count)
{
    double total = 0.0;
    for (int i = 0; i < count; i++)
        total += array[i];
    return total;
}

double checksum(int kernel)
{
    switch (kernel) {
    case 3:
        return q;
    case 6:
        return sum(w, COUNT(w));
    case 8:
        return sum(&u1[0][0][0], COUNT(u1)) + sum(&u2[0][0][0], COUNT(u2)) + sum(&u3[0][0][0], COUNT(u3))
            + sum(du1, COUNT(du1)) + sum(du2, COUNT(du2)) + sum(du3, COUNT(du3));
    case 9:
    case 10:
        return sum(&px[0][0], COUNT(px));
    default:
        return sum(x, COUNT(x));
    }
}
