! Jacobi's method on a square: vectors of doubles whose neighbours are not aligned, and a copy of the array.
program stencil
  implicit none
  integer, parameter :: side = 400
  real(8) :: now(side, side), next(side, side)
  integer :: i, j, step, steps
  character(20) :: text

  steps = 10
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) steps
  end if
  now = 0
  now(1, :) = 1
  do step = 1, steps
    do j = 2, side - 1
      do i = 2, side - 1
        next(i, j) = 0.25d0 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))
      end do
    end do
    now(2:side - 1, 2:side - 1) = next(2:side - 1, 2:side - 1)
  end do
  print '(es24.16)', sum(now)
end program
