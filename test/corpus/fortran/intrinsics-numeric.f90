! Models of numbers: huge, tiny, exponent, fraction, nearest, spacing, scale, kinds of integers.
program intrinsics_numeric
  use iso_fortran_env
  implicit none
  integer(int8) :: b
  integer(int64) :: l
  real(8) :: x = 0.1d0
  print *, huge(b), huge(1_int16), huge(l), range(1), digits(x), precision(1.0), maxexponent(x), minexponent(1.0), radix(x)
  print '(6es24.16)', huge(x), tiny(x), epsilon(x), nearest(x, 1d0), nearest(x, -1d0), spacing(x)
  print *, exponent(x), fraction(x), scale(x, 5), set_exponent(x, 3), rrspacing(x) > 1
  b = 127
  b = b + 1_int8
  l = 2_int64**62
  print *, b, l, l * 2, selected_int_kind(12), selected_real_kind(10, 200), kind(1d0), kind(1_int16)
  print *, real(1, 16) / 3, real(1, 10) / 3, sqrt(2.0_real128)
  print *, transfer(1.0, 1), transfer(4607182418800017408_int64, 1d0)
end program
