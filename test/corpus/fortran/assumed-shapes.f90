! Dummy arrays of assumed shape, size and rank, strided actual arguments, contiguity, copies in and out.
module procedures
  implicit none
contains
  integer function total(a)
    integer, intent(in) :: a(..)
    select rank (a)
    rank (0)
      total = a
    rank (1)
      total = sum(a) * 10
    rank (2)
      total = sum(a) * 100 + size(a, 1)
    rank default
      total = -rank(a)
    end select
  end function
  subroutine old(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(*)
    integer :: i
    do i = 1, n
      a(i) = a(i) * 2 + i
    end do
  end subroutine
  subroutine shaped(a, b)
    integer, intent(inout) :: a(:, :)
    integer, intent(in), contiguous, target :: b(:)
    a(:, 1) = a(:, 1) + b(1:size(a, 1))
    a(1, :) = -a(1, :)
  end subroutine
  function doubled(a) result(b)
    integer, intent(in) :: a(:)
    integer :: b(2 * size(a))
    b(1::2) = a
    b(2::2) = a * a
  end function
end module
program main
  use procedures
  implicit none
  integer :: m(5, 6), v(12), c(2, 2, 2), i
  m = reshape([(i, i = 1, 30)], [5, 6])
  v = [(i * i, i = 1, 12)]
  c = 1
  print *, total(7), total(v), total(m), total(c), total(m(2:4, ::3))
  call old(v(12:1:-3), 4)
  call old(m(2, :), 6)
  call shaped(m(::2, 2:5), v(2:11:2))
  print *, v
  print '(6i6)', transpose(m)
  print *, doubled(v(1:4)), doubled([1, 2])
end program
