! Planets under gravity by leapfrog; energy at each tenth of the time.
program nbody
  implicit none
  integer, parameter :: n = 5
  real(8) :: x(3, n), v(3, n), a(3, n), m(n), d(3), r
  integer :: i, j, step
  m = [1000d0, 1d0, 2d0, 0.5d0, 3d0]
  do i = 1, n
    x(:, i) = [i * 2d0 - 2, mod(i, 3) * 0.5d0, 0.1d0 * i]
    v(:, i) = [0d0, sqrt(1000d0 / (i * 2)) * merge(0, 1, i == 1), 0d0]
  end do
  do step = 0, 400
    a = 0
    do i = 1, n
      do j = 1, n
        if (i == j) cycle
        d = x(:, j) - x(:, i)
        r = norm2(d) + 0.01d0
        a(:, i) = a(:, i) + m(j) * d / r**3
      end do
    end do
    v = v + a * 0.0005d0
    x = x + v * 0.0005d0
    if (mod(step, 100) == 0) print '(4f16.9)', 0.5d0 * sum(m * sum(v**2, 1)), x(:, 3)
  end do
end program
