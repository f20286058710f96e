! Type extension, polymorphic procedures, abstract types, select type, finalisers.
module shapes
  implicit none
  type, abstract :: shape_t
    integer :: id = 0
  contains
    procedure(area_i), deferred :: area
    procedure :: describe
  end type
  abstract interface
    real(8) function area_i(self)
      import shape_t
      class(shape_t), intent(in) :: self
    end function
  end interface
  type, extends(shape_t) :: circle
    real(8) :: r = 1
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape_t) :: square
    real(8) :: s = 1
  contains
    procedure :: area => square_area
    final :: drop
  end type
  integer :: dropped = 0
contains
  real(8) function circle_area(self)
    class(circle), intent(in) :: self
    circle_area = 3 * self%r**2
  end function
  real(8) function square_area(self)
    class(square), intent(in) :: self
    square_area = self%s**2
  end function
  subroutine drop(self)
    type(square), intent(inout) :: self
    dropped = dropped + 1
  end subroutine
  subroutine describe(self)
    class(shape_t), intent(in) :: self
    select type (self)
    type is (circle)
      print *, 'circle', self%id, self%r, self%area()
    class is (square)
      print *, 'square', self%id, self%s, self%area()
    end select
  end subroutine
end module
program main
  use shapes
  implicit none
  type box
    class(shape_t), allocatable :: s
  end type
  type(box) :: list(4)
  integer :: i
  do i = 1, 4
    if (mod(i, 2) == 0) then
      allocate (list(i)%s, source=circle(i, i * 0.5d0))
    else
      allocate (list(i)%s, source=square(i, i * 1.5d0))
    end if
  end do
  do i = 1, 4
    call list(i)%s%describe()
  end do
  deallocate (list(1)%s)
  print *, dropped > 0
end program
