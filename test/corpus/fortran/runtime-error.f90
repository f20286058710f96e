! corpus: -fcheck=all -fno-backtrace
! An index out of bounds that the runtime reports; the program ends with status 2.
program runtime_error
  implicit none
  integer :: a(5), i, n
  n = 7
  a = 1
  print *, 'before'
  do i = 1, n
    a(i) = i
  end do
  print *, sum(a)
end program
