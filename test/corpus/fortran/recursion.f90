! Recursive procedures, elemental and pure ones, optional and keyword arguments, internal procedures, procedure pointers.
program recursion
  implicit none
  abstract interface
    real(8) function f_i(x)
      real(8), intent(in) :: x
    end function
  end interface
  procedure(f_i), pointer :: f
  integer :: counter = 0
  print *, fib(18), ackermann(2, 9), counter
  print *, cube([1, 2, 3]), cube(4)
  call options(1)
  call options(1, c=3)
  call options(b=2, a=5)
  f => square
  print *, integrate(f, 0d0, 3d0)
  f => wave
  print '(f14.10)', integrate(f, 0d0, 1d0)
contains
  recursive integer function fib(n) result(r)
    integer, intent(in) :: n
    counter = counter + 1
    if (n < 2) then
      r = n
    else
      r = fib(n - 1) + fib(n - 2)
    end if
  end function
  recursive function ackermann(m, n) result(r)
    integer, value :: m, n
    integer :: r
    if (m == 0) then
      r = n + 1
    else if (n == 0) then
      r = ackermann(m - 1, 1)
    else
      r = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function
  elemental integer function cube(x)
    integer, intent(in) :: x
    cube = x**3
  end function
  subroutine options(a, b, c)
    integer, intent(in) :: a
    integer, intent(in), optional :: b, c
    print *, a, present(b), present(c), merge(1, 0, present(b)) + merge(10, 0, present(c))
  end subroutine
  real(8) function square(x)
    real(8), intent(in) :: x
    square = x * x
  end function
  real(8) function wave(x)
    real(8), intent(in) :: x
    wave = sin(10 * x) * exp(-x)
  end function
  real(8) function integrate(g, a, b)
    procedure(f_i) :: g
    real(8), intent(in) :: a, b
    integer :: i
    integrate = (g(a) + g(b)) / 2
    do i = 1, 199
      integrate = integrate + g(a + i * (b - a) / 200)
    end do
    integrate = integrate * (b - a) / 200
  end function
end program
