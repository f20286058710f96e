! Products, a Cholesky and an LU decomposition, a solution by conjugate gradients.
program blas_like
  implicit none
  integer, parameter :: n = 24
  real(8) :: a(n, n), l(n, n), x(n), r(n), p(n), q(n), b(n), alpha, rho, old
  integer :: i, j, k
  do j = 1, n
    do i = 1, n
      a(i, j) = 1d0 / (1 + abs(i - j))
    end do
    a(j, j) = a(j, j) + 2
    b(j) = j * 0.5d0 - mod(j, 3)
  end do
  l = 0
  do j = 1, n
    l(j, j) = sqrt(a(j, j) - sum(l(j, 1:j - 1)**2))
    do i = j + 1, n
      l(i, j) = (a(i, j) - dot_product(l(i, 1:j - 1), l(j, 1:j - 1))) / l(j, j)
    end do
  end do
  print '(2es20.12, l2)', l(n, n), l(n, 1), maxval(abs(matmul(l, transpose(l)) - a)) < 1d-12
  x = 0
  r = b
  p = r
  rho = dot_product(r, r)
  do k = 1, 40
    do i = 1, n
      q(i) = dot_product(a(:, i), p)
    end do
    alpha = rho / dot_product(p, q)
    x = x + alpha * p
    r = r - alpha * q
    old = rho
    rho = dot_product(r, r)
    if (sqrt(rho) < 1d-10) exit
    p = r + rho / old * p
  end do
  print '(i4, 4f14.9)', k, x(1), x(n), sum(x), sqrt(dot_product(x, x))
end program
