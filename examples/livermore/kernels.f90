! The kernels of kernels.c, in the language of the original and with its subscripts, on the same data.
module livermore
  use iso_c_binding, only: c_double, c_int
  implicit none
  real(c_double), bind(c) :: x(1500), y(1001), z(1012), u(1001), v(1001), w(64)
  real(c_double), bind(c) :: b(64, 64), px(25, 101), cx(25, 101)
  real(c_double), bind(c) :: u1(5, 101, 2), u2(5, 101, 2), u3(5, 101, 2)
  real(c_double), bind(c) :: du1(101), du2(101), du3(101)
  real(c_double), bind(c) :: q, r, t, c0, sig
  real(c_double), bind(c) :: a11, a12, a13, a21, a22, a23, a31, a32, a33
  real(c_double), bind(c) :: dm22, dm23, dm24, dm25, dm26, dm27, dm28
contains

  ! Hydro fragment.
  subroutine kernel1(n) bind(c)
    integer(c_int), value :: n
    integer :: k
    do k = 1, n
      x(k) = q + y(k) * (r * z(k + 10) + t * z(k + 11))
    end do
  end subroutine kernel1

  ! Incomplete Cholesky, conjugate gradient.
  subroutine kernel2(n) bind(c)
    integer(c_int), value :: n
    integer :: ii, ipnt, ipntp, i, k
    ii = n
    ipntp = 0
    do
      ipnt = ipntp
      ipntp = ipntp + ii
      ii = ii / 2
      i = ipntp + 1
      do k = ipnt + 2, ipntp, 2
        i = i + 1
        x(i) = x(k) - v(k) * x(k - 1) - v(k + 1) * x(k + 1)
      end do
      if (ii <= 1) exit
    end do
  end subroutine kernel2

  ! Inner product.
  subroutine kernel3(n) bind(c)
    integer(c_int), value :: n
    integer :: k
    real(c_double) :: total
    total = 0.0d0
    do k = 1, n
      total = total + z(k) * x(k)
    end do
    q = total
  end subroutine kernel3

  ! Banded linear equations.
  subroutine kernel4(n) bind(c)
    integer(c_int), value :: n
    integer :: m, k, lw, j
    real(c_double) :: temp
    m = (1001 - 7) / 2
    do k = 7, 1001, m
      lw = k - 6
      temp = x(k - 1)
      do j = 5, n, 5
        temp = temp - x(lw) * y(j)
        lw = lw + 1
      end do
      x(k - 1) = y(5) * temp
    end do
  end subroutine kernel4

  ! Tri-diagonal elimination, below the diagonal.
  subroutine kernel5(n) bind(c)
    integer(c_int), value :: n
    integer :: i
    do i = 2, n
      x(i) = z(i) * (y(i) - x(i - 1))
    end do
  end subroutine kernel5

  ! General linear recurrence equations.
  subroutine kernel6(n) bind(c)
    integer(c_int), value :: n
    integer :: i, k
    do i = 2, n
      w(i) = 0.01d0
      do k = 1, i - 1
        w(i) = w(i) + b(i, k) * w(i - k)
      end do
    end do
  end subroutine kernel6

  ! Equation of state fragment.
  subroutine kernel7(n) bind(c)
    integer(c_int), value :: n
    integer :: k
    do k = 1, n
      x(k) = u(k) + r * (z(k) + r * y(k)) &
        + t * (u(k + 3) + r * (u(k + 2) + r * u(k + 1)) &
          + t * (u(k + 6) + q * (u(k + 5) + q * u(k + 4))))
    end do
  end subroutine kernel7

  ! Alternating direction implicit integration.
  subroutine kernel8(n) bind(c)
    integer(c_int), value :: n
    integer, parameter :: nl1 = 1, nl2 = 2
    integer :: kx, ky
    do kx = 2, 3
      do ky = 2, n
        du1(ky) = u1(kx, ky + 1, nl1) - u1(kx, ky - 1, nl1)
        du2(ky) = u2(kx, ky + 1, nl1) - u2(kx, ky - 1, nl1)
        du3(ky) = u3(kx, ky + 1, nl1) - u3(kx, ky - 1, nl1)
        u1(kx, ky, nl2) = u1(kx, ky, nl1) + a11 * du1(ky) + a12 * du2(ky) + a13 * du3(ky) &
          + sig * (u1(kx + 1, ky, nl1) - 2.0d0 * u1(kx, ky, nl1) + u1(kx - 1, ky, nl1))
        u2(kx, ky, nl2) = u2(kx, ky, nl1) + a21 * du1(ky) + a22 * du2(ky) + a23 * du3(ky) &
          + sig * (u2(kx + 1, ky, nl1) - 2.0d0 * u2(kx, ky, nl1) + u2(kx - 1, ky, nl1))
        u3(kx, ky, nl2) = u3(kx, ky, nl1) + a31 * du1(ky) + a32 * du2(ky) + a33 * du3(ky) &
          + sig * (u3(kx + 1, ky, nl1) - 2.0d0 * u3(kx, ky, nl1) + u3(kx - 1, ky, nl1))
      end do
    end do
  end subroutine kernel8

  ! Integrate predictors.
  subroutine kernel9(n) bind(c)
    integer(c_int), value :: n
    integer :: i
    do i = 1, n
      px(1, i) = dm28 * px(13, i) + dm27 * px(12, i) + dm26 * px(11, i) + dm25 * px(10, i) &
        + dm24 * px(9, i) + dm23 * px(8, i) + dm22 * px(7, i) &
        + c0 * (px(5, i) + px(6, i)) + px(3, i)
    end do
  end subroutine kernel9

  ! Difference predictors.
  subroutine kernel10(n) bind(c)
    integer(c_int), value :: n
    integer :: i
    real(c_double) :: ar, br, cr
    do i = 1, n
      ar = cx(5, i)
      br = ar - px(5, i)
      px(5, i) = ar
      cr = br - px(6, i)
      px(6, i) = br
      ar = cr - px(7, i)
      px(7, i) = cr
      br = ar - px(8, i)
      px(8, i) = ar
      cr = br - px(9, i)
      px(9, i) = br
      ar = cr - px(10, i)
      px(10, i) = cr
      br = ar - px(11, i)
      px(11, i) = ar
      cr = br - px(12, i)
      px(12, i) = br
      px(14, i) = cr - px(13, i)
      px(13, i) = cr
    end do
  end subroutine kernel10

  ! First sum.
  subroutine kernel11(n) bind(c)
    integer(c_int), value :: n
    integer :: k
    do k = 2, n
      x(k) = x(k - 1) + y(k)
    end do
  end subroutine kernel11

  ! First difference.
  subroutine kernel12(n) bind(c)
    integer(c_int), value :: n
    integer :: k
    do k = 1, n
      x(k) = y(k + 1) - y(k)
    end do
  end subroutine kernel12
end module livermore
