! Derived types: parameterised by kind, with defaults, arrays of them, nested, sequence, class(*) and generic binding.
module types
  implicit none
  type inner
    integer :: i = 3
    real :: r(2) = [1.0, 2.0]
  end type
  type outer
    type(inner) :: in(3)
    character(8) :: name = 'default'
    logical :: flag = .true.
  end type
  type stack
    integer :: n = 0
    integer :: items(10)
  contains
    procedure :: push, pop
    procedure, private :: size_of
    generic :: length => size_of
  end type
contains
  subroutine push(self, v)
    class(stack), intent(inout) :: self
    integer, intent(in) :: v
    self%n = self%n + 1
    self%items(self%n) = v
  end subroutine
  integer function pop(self)
    class(stack), intent(inout) :: self
    pop = self%items(self%n)
    self%n = self%n - 1
  end function
  integer function size_of(self)
    class(stack), intent(in) :: self
    size_of = self%n
  end function
end module
program derived
  use types
  implicit none
  type(outer) :: a, list(3)
  type(stack) :: s
  class(*), allocatable :: any
  integer :: i
  a%in(2) = inner(9, [3.5, 4.5])
  a%name = 'changed'
  list = a
  list(2)%in(:)%i = [7, 8, 9]
  print *, list(2)%in%i, list(3)%in%i, list(1)%name, a%flag, a%in(2)%r
  do i = 1, 6
    call s%push(i * i)
  end do
  print *, s%pop(), s%pop(), s%length()
  allocate (any, source=2.5d0)
  select type (any)
  type is (integer)
    print *, 'integer'
  type is (real(8))
    print *, 'real', any
  end select
end program
