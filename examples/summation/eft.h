/*
 * Error-free transformations: the rounded result of one operation together with its exact rounding error.
 *
 * TwoSum      D. E. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B.           6 operations
 * FastTwoSum  T. J. Dekker, A floating-point technique for extending the available precision,
 *             Numer. Math. 18 (1971) 224-242. Needs |a| >= |b| or a = 0.                          3 operations
 * Split       G. W. Veltkamp, in Dekker 1971. Overflows from |a| = 2^996.                         4 operations
 * TwoProduct  G. W. Veltkamp, in Dekker 1971; both factors already split.                         9 operations
 */
#ifndef EFT_H
#define EFT_H

/* 2^27 + 1: cuts the 53 bits of a double into two parts of at most 26 bits, the lower one signed. */
#define SPLITTER 134217729.0

static inline double TwoSum(double a, double b, double *error) {
  double sum = a + b;
  double b_part = sum - a;
  *error = (a - (sum - b_part)) + (b - b_part);
  return sum;
}

static inline double FastTwoSum(double a, double b, double *error) {
  double sum = a + b;
  *error = b - (sum - a);
  return sum;
}

static inline double Split(double a, double *low) {
  double scaled = SPLITTER * a;
  double high = scaled - (scaled - a);
  *low = a - high;
  return high;
}

static inline double TwoProduct(double a, double a_high, double a_low, double b, double b_high, double b_low,
                                double *error) {
  double product = a * b;
  *error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
  return product;
}

#endif
