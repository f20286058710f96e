/*
 * DDHorner, AccurateEval2 in the 2010 paper: Horner's scheme in double-double arithmetic, as in Ph. Langlois,
 * N. Louvet, More instruction level parallelism explains the actual efficiency of compensated algorithms,
 * technical report hal-00165020 (2007). 28 n + 4 floating-point operations for degree n; x is split once.
 *
 * The pair is renormalised after the multiplication and again after the addition: the two bottlenecks that
 * the 2010 paper's figure 1 marks. One step errs by at most 3 u^2 + 2 u^2 relative to its operands (M. Joldes,
 * J.-M. Muller, V. Popescu, ACM TOMS 44(2) (2017), algorithms 8 and 4), unless a product underflows or overflows.
 */
#include "eft.h"
#include "summation.h"

double DDHorner(const double *a, size_t n, double x) {
  double x_low;
  double x_high = Split(x, &x_low);
  double head = a[n];
  double tail = 0.0;
  for (size_t i = n; i-- > 0;) {
    double head_low;
    double head_high = Split(head, &head_low);
    double product_error, sum_error;
    double product = TwoProduct(head, head_high, head_low, x, x_high, x_low, &product_error);
    product = FastTwoSum(product, tail * x + product_error, &product_error);
    double sum = TwoSum(product, a[i], &sum_error);
    head = FastTwoSum(sum, sum_error + product_error, &tail);
  }
  return head;
}
