! Cells by cshift and by loops agree.
program life
  implicit none
  integer :: a(40, 40), b(40, 40), n(40, 40), i, j, t
  do j = 1, 40
    do i = 1, 40
      a(i, j) = merge(1, 0, mod(i * i * 3 + j * 7 + i * j, 5) < 2)
    end do
  end do
  b = a
  do t = 1, 30
    n = cshift(a, 1, 1) + cshift(a, -1, 1) + cshift(a, 1, 2) + cshift(a, -1, 2) &
        + cshift(cshift(a, 1, 1), 1, 2) + cshift(cshift(a, 1, 1), -1, 2) &
        + cshift(cshift(a, -1, 1), 1, 2) + cshift(cshift(a, -1, 1), -1, 2)
    a = merge(1, 0, n == 3 .or. (n == 2 .and. a == 1))
    call by_loops()
    if (mod(t, 10) == 0) print *, t, sum(a), all(a == b)
  end do
  print '(40a)', (merge('#', '.', a(i, 20) == 1), i = 1, 40)
contains
  subroutine by_loops()
    integer :: c(40, 40), x, y, p, q, k
    do y = 1, 40
      do x = 1, 40
        k = 0
        do q = -1, 1
          do p = -1, 1
            if (p /= 0 .or. q /= 0) k = k + b(modulo(x + p - 1, 40) + 1, modulo(y + q - 1, 40) + 1)
          end do
        end do
        c(x, y) = merge(1, 0, k == 3 .or. (k == 2 .and. b(x, y) == 1))
      end do
    end do
    b = c
  end subroutine
end program
