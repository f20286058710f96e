! Allocatable arrays: growth, automatic reallocation, move_alloc, bounds, of derived types.
program allocatable_arrays
  implicit none
  type item
    integer, allocatable :: v(:)
    character(:), allocatable :: name
  end type
  integer, allocatable :: a(:), b(:), c(:, :)
  type(item), allocatable :: list(:)
  integer :: i, stat
  allocate (a(3), source=7)
  do i = 1, 8
    a = [a, i]
  end do
  call move_alloc(a, b)
  print *, allocated(a), allocated(b), size(b), b
  allocate (c(-2:2, 0:3), stat=stat)
  c = 0
  c(-1, 2) = 5
  print *, stat, lbound(c), ubound(c), sum(c), maxloc(c)
  allocate (list(4))
  do i = 1, 4
    list(i)%v = [(i * 10 + stat, stat = 1, i)]
    list(i)%name = repeat('ab', i)
  end do
  list = list([4, 2, 1])
  do i = 1, size(list)
    print *, list(i)%name, len(list(i)%name), list(i)%v
  end do
  b = pack(b, b > 3)
  deallocate (c)
  print *, size(b), allocated(c)
end program
