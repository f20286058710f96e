! Mathematical intrinsics of reals in kinds 4 and 8.
program intrinsics_math
  implicit none
  integer :: i
  real(8) :: x
  real(4) :: s
  do i = 1, 12
    x = 0.37d0 * i - 2
    s = real(x)
    print '(6es22.14)', sin(x), cos(x), tan(x), exp(x), log(abs(x)), sqrt(abs(x))
    print '(6es22.14)', asin(x / 3), acos(x / 3), atan(x), sinh(x), cosh(x), tanh(x)
    print '(6es22.14)', gamma(abs(x)), log_gamma(abs(x) + 1), erf(x), erfc(x), bessel_j0(x), hypot(x, 1d0)
    print '(6es15.7)', sin(s), exp(s), log10(abs(s)), s**3, abs(s)**0.7, atan2(s, 2.0)
  end do
  print *, mod(-7, 3), modulo(-7, 3), mod(-7.5d0, 2d0), modulo(-7.5d0, 2d0), sign(3, -1), dim(5, 3), nint(2.5), nint(-2.5)
  print *, floor(-2.5), ceiling(-2.5), int(-2.9), aint(2.7), anint(2.5), max(1, 5, 3), min(2.5, 1.5)
end program
