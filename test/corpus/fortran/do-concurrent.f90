! do concurrent, block, associate, named loops with exit and cycle, select rank of loops.
program loops
  implicit none
  integer :: i, j, n, sieve(200), sums(4)
  real(8) :: a(50, 50), b(50)
  do concurrent(i = 1:50, j = 1:50)
    a(i, j) = 1d0 / (i + j)
  end do
  do concurrent(i = 1:50, i /= 25)
    b(i) = sum(a(i, :))
  end do
  b(25) = 0
  print '(4f14.9)', sum(b), b(1), b(50), a(7, 9)
  sieve = 1
  outer: do i = 2, 200
    if (sieve(i) == 0) cycle outer
    do j = i * i, 200, i
      sieve(j) = 0
    end do
    if (i > 14) exit outer
  end do outer
  print *, sum(sieve) - 1
  n = 27
  do while (n /= 1)
    if (mod(n, 2) == 0) then
      n = n / 2
    else
      n = 3 * n + 1
    end if
    sums(1) = sums(1) * 0 + n
  end do
  associate (x => a(3, 4), y => b(2:10:2))
    x = 100
    y = y + x
  end associate
  block
    integer :: n
    n = 5
    print *, n, a(3, 4), b(2)
  end block
  do i = 10, 1, -4
    print *, i
  end do
  print *, i, n, sums(1)
end program
