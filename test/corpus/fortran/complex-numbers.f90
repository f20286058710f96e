! Complex arithmetic and functions of both kinds.
program complex_numbers
  implicit none
  complex(8) :: z, w, roots(5)
  complex :: c
  integer :: i
  z = (1.5d0, -2d0)
  w = cmplx(0.5d0, 3d0, 8)
  c = (1.0, 2.0)
  print '(6f14.8)', z + w, z * w, z / w
  print '(6f14.8)', sqrt(z), exp(w), log(z)
  print '(6f14.8)', sin(z), cos(w), z**3
  print '(6f14.8)', z**w, conjg(z), tan(z * 0.1d0)
  print '(4f14.8)', abs(z), aimag(w), real(w), atan2(aimag(z), real(z))
  print '(4f12.5)', c * c, c**(-2)
  do i = 1, 5
    roots(i) = exp(cmplx(0, 2 * acos(-1d0) * (i - 1) / 5, 8))
  end do
  print '(2f14.10)', roots, sum(roots) + 1, product(roots)
  print '(2f12.6)', dot_product(roots, roots), matmul(reshape(roots(1:4), [2, 2]), roots(2:3)) + (10, 10)
end program
