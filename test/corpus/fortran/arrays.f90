! Sections, reductions, shapes, intrinsics of arrays, where and forall.
program arrays
  implicit none
  integer :: a(4, 5), b(5, 4), i, j
  real(8) :: x(20), y(0:9)
  logical :: m(4, 5)
  a = reshape([(i * i - 7 * i, i = 1, 20)], [4, 5])
  b = transpose(a)
  m = mod(a, 3) == 0
  print '(5i6)', (a(i, :), i = 1, 4)
  print *, sum(a), product(int(a(1:2, 1:2), 8)), maxval(a), minval(a, mask=m), count(m), any(m), all(m)
  print *, maxloc(a), minloc(a, dim=1), sum(a, dim=2), shape(b), size(a, 2), lbound(y), ubound(y)
  print *, matmul(a(:, 1:3), b(1:3, :))
  print *, dot_product(a(1, :), b(:, 2)), cshift([1, 2, 3, 4], 1), eoshift([1, 2, 3, 4], -1, 9)
  print *, pack(a, m), spread([1, 2], 1, 2), merge(a(:, 1), -1, m(:, 1))
  x = [(1d0 / i, i = 1, 20)]
  y = x(2:20:2)
  where (y > 0.1d0)
    y = sqrt(y)
  elsewhere
    y = -y
  end where
  print '(5f12.8)', y
  forall (i = 1:4, j = 1:5, i /= j) a(i, j) = i * 10 + j
  print '(5i6)', (a(i, :), i = 1, 4)
  print *, reshape([1, 2, 3, 4, 5, 6], [3, 2], order=[2, 1]), unpack([7, 8], [.true., .false., .true.], [0, 1, 2])
end program
