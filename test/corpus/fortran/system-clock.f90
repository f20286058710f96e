! corpus: uncounted
! Clocks only advance; the command line and the environment are read.
program system_clock_test
  implicit none
  integer(8) :: a, b, rate
  real :: t
  integer :: i, values(8)
  character(40) :: text
  call system_clock(a, rate)
  t = 0
  do i = 1, 1000
    t = t + sqrt(real(i))
  end do
  call system_clock(b)
  call cpu_time(t)
  call date_and_time(values=values)
  call get_environment_variable('LC_ALL', text, i)
  print *, b >= a, rate > 0, t >= 0, values(1) > 1900, command_argument_count(), trim(text), i
end program
