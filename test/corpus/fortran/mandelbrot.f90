! The Mandelbrot set as text, by complex numbers and by reals.
program mandelbrot
  implicit none
  integer :: i, j, k, counts(0:40), total
  complex(8) :: z, c
  real(4) :: x, y, t
  character(60) :: line
  counts = 0
  do j = 1, 22
    line = ''
    do i = 1, 60
      c = cmplx(-2.1d0 + i * 0.05d0, -1.15d0 + j * 0.1d0, 8)
      z = 0
      do k = 0, 39
        if (real(z)**2 + aimag(z)**2 > 4) exit
        z = z * z + c
      end do
      line(i:i) = merge('#', ' ', k == 40)
      if (k < 40 .and. mod(k, 3) == 0) line(i:i) = '.'
      counts(k) = counts(k) + 1
    end do
    print '(a)', trim(line)
  end do
  print *, counts
  total = 0
  do i = 1, 200
    x = 0
    y = 0
    do k = 1, 50
      t = x * x - y * y - 0.7 + i * 0.002
      y = 2 * x * y + 0.3
      x = t
      if (x * x + y * y > 4) exit
    end do
    total = total + k
  end do
  print *, total
end program
