! Polynomials: Horner, Newton's method, interpolation, Legendre and Chebyshev, Gauss quadrature.
program polynomials
  implicit none
  real(8) :: c(0:6), x, nodes(5), values(5), w(5)
  real(10) :: wide
  integer :: i, j, k
  c = [1d0, -3d0, 0d0, 2d0, -1d0, 0.5d0, 0.25d0]
  do i = -3, 3
    x = i * 0.7d0
    print '(3es23.15)', horner(c, x), derivative(c, x), dot_product(c, [(x**j, j = 0, 6)])
  end do
  x = 0.5d0
  do i = 1, 20
    x = x - horner(c, x) / derivative(c, x)
  end do
  print '(es22.14, l2)', x, abs(horner(c, x)) < 1d-12
  nodes = [(cos((2 * i - 1) * acos(-1d0) / 10), i = 1, 5)]
  values = exp(nodes)
  do k = 1, 3
    x = -0.5d0 + k * 0.3d0
    print '(2f18.14)', interpolated(x), exp(x)
  end do
  nodes = [0d0, 0.5384693101056831d0, -0.5384693101056831d0, 0.9061798459386640d0, -0.9061798459386640d0]
  w = [0.5688888888888889d0, 0.4786286704993665d0, 0.4786286704993665d0, 0.2369268850561891d0, 0.2369268850561891d0]
  print '(f18.14)', sum(w * cos(nodes))
  wide = 1
  do i = 1, 25
    wide = wide * i + 1 / wide
  end do
  print *, wide
contains
  pure real(8) function horner(a, t)
    real(8), intent(in) :: a(0:), t
    integer :: m
    horner = 0
    do m = ubound(a, 1), 0, -1
      horner = horner * t + a(m)
    end do
  end function
  pure real(8) function derivative(a, t)
    real(8), intent(in) :: a(0:), t
    integer :: m
    derivative = 0
    do m = ubound(a, 1), 1, -1
      derivative = derivative * t + m * a(m)
    end do
  end function
  real(8) function interpolated(t)
    real(8), intent(in) :: t
    real(8) :: term
    integer :: m, n
    interpolated = 0
    do m = 1, 5
      term = values(m)
      do n = 1, 5
        if (n /= m) term = term * (t - nodes(n)) / (nodes(m) - nodes(n))
      end do
      interpolated = interpolated + term
    end do
  end function
end program
