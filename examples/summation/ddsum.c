/*
 * DDSum, SumXBLAS in the 2010 paper: recursive summation in double-double arithmetic, as XBLAS accumulates
 * (X. S. Li et al., Design, implementation and testing of extended and mixed precision BLAS, ACM TOMS 28(2)
 * (2002) 152-205). 10 floating-point operations per element.
 *
 * The pair is renormalised after every addition, which puts seven operations on the path from one element to
 * the next where Sum2 has one. One addition errs by at most 2 u^2 relative to its result (M. Joldes,
 * J.-M. Muller, V. Popescu, Tight and rigorous error bounds for basic building blocks of double-word
 * arithmetic, ACM TOMS 44(2) (2017), algorithm 4).
 */
#include "eft.h"
#include "summation.h"

double DDSum(const double *x, size_t n) {
  double head = 0.0;
  double tail = 0.0;
  for (size_t i = 0; i < n; i++) {
    double error;
    double sum = TwoSum(head, x[i], &error);
    head = FastTwoSum(sum, error + tail, &tail);
  }
  return head;
}
