! Modules with private data, operators, generic names, interfaces and constants.
module vectors
  implicit none
  private
  public :: vec, operator(+), operator(.dot.), assignment(=), norm, total
  type vec
    real(8) :: x = 0, y = 0, z = 0
  end type
  interface operator(+)
    procedure add
  end interface
  interface operator(.dot.)
    procedure dot
  end interface
  interface assignment(=)
    procedure from_array
  end interface
  interface norm
    procedure norm_vec, norm_array
  end interface
  integer :: calls = 0
contains
  pure function add(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c = vec(a%x + b%x, a%y + b%y, a%z + b%z)
  end function
  pure real(8) function dot(a, b)
    type(vec), intent(in) :: a, b
    dot = a%x * b%x + a%y * b%y + a%z * b%z
  end function
  subroutine from_array(v, a)
    type(vec), intent(out) :: v
    real(8), intent(in) :: a(:)
    calls = calls + 1
    v%x = a(1); v%y = a(2); v%z = a(3)
  end subroutine
  real(8) function norm_vec(v)
    type(vec), intent(in) :: v
    norm_vec = sqrt(v .dot. v)
  end function
  real(8) function norm_array(a)
    real(8), intent(in) :: a(:)
    norm_array = sqrt(sum(a**2))
  end function
  integer function total()
    total = calls
  end function
end module
program main
  use vectors
  implicit none
  type(vec) :: a, b
  a = [1d0, 2d0, 2d0]
  b = [3d0, 0d0, 4d0]
  print '(4f10.4)', norm(a + b), a .dot. b, norm(b), norm([5d0, 12d0])
  print *, total()
end program
