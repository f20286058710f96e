! random_number from a seed that the program sets.
program random_numbers
  implicit none
  integer :: n, i, inside
  integer, allocatable :: seed(:)
  real(8) :: x(1000), y(1000)
  call random_seed(size=n)
  allocate (seed(n), source=[(i * 12345, i = 1, n)])
  call random_seed(put=seed)
  call random_number(x)
  call random_number(y)
  inside = count(x**2 + y**2 < 1)
  print *, n, inside, sum(x), minval(y)
  call random_seed(get=seed)
  print *, seed
end program
