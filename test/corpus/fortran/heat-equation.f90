! Jacobi and Gauss-Seidel sweeps over a plate, single and double precision.
program heat
  implicit none
  integer, parameter :: n = 32
  real(8) :: u(n, n), v(n, n)
  real(4) :: s(n, n)
  integer :: i, j, step
  u = 0
  u(:, 1) = 100
  u(1, :) = 50
  v = u
  s = real(u)
  do step = 1, 60
    v(2:n - 1, 2:n - 1) = 0.25d0 * (u(1:n - 2, 2:n - 1) + u(3:n, 2:n - 1) + u(2:n - 1, 1:n - 2) + u(2:n - 1, 3:n))
    u = v
    do j = 2, n - 1
      do i = 2, n - 1
        s(i, j) = 0.25 * (s(i - 1, j) + s(i + 1, j) + s(i, j - 1) + s(i, j + 1))
      end do
    end do
    if (mod(step, 20) == 0) print '(4f14.8)', sum(u), u(n / 2, n / 2), sum(s), s(5, 7)
  end do
end program
