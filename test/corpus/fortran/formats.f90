! Edit descriptors of output: integers, reals, logicals, repetition, scaling, rounding.
program formats
  implicit none
  real(8) :: v(6) = [0d0, 1d0, -2.5d0, 1d10, 1d0 / 3, -6.02d-23]
  integer :: i
  do i = 1, 6
    print '(f12.4, 1x, e14.5, 1x, es12.3, 1x, en14.4, 1x, g14.6, 1x, d12.3, 1x, f0.3, 1x, e15.4e3)', v(i), v(i), v(i), v(i), v(i), v(i), v(i), v(i)
  end do
  print '(i5, i5.3, i0, b12, o8, z8, l3, a8, a3)', 42, 7, -99, 10, 64, 255, .true., 'text', 'longer'
  print '(3(i3, ","), tr2, "tab", t30, "column", /, 2p, f10.3, 1p, e12.3)', 1, 2, 3, 1.2345, 1.2345
  print '(sp, i5, f8.2, ss, i5)', 5, 2.5, 5
  print '(ru, f6.1, rd, f6.1, rn, f6.1, rz, f6.1)', 0.25d0, 0.25d0, 0.25d0, 0.29d0
  print '(f4.1, i2, f3.0)', 12345.6, 1234, 2.5
  print *, 1, 2.5, 2.5d0, (1.0, -1.0), .false., 'list directed', huge(1), tiny(1.0), epsilon(1d0)
  print '(*(g0, "; "))', 1, 2.5, 'unlimited', .true.
  write (*, '(a)', advance='no') 'no '
  write (*, '(a)') 'advance'
end program
