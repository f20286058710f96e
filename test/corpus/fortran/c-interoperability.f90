! Calls of the C library by bind(C), with callbacks and strings.
module callbacks
  use iso_c_binding
  implicit none
  integer :: compared = 0
contains
  integer(c_int) function compare(a, b) bind(c)
    integer(c_int), intent(in) :: a, b
    compared = compared + 1
    compare = a - b
  end function
end module
program c_interoperability
  use callbacks
  implicit none
  interface
    subroutine qsort(base, n, size, f) bind(c)
      import
      integer(c_int) :: base(*)
      integer(c_size_t), value :: n, size
      type(c_funptr), value :: f
    end subroutine
    function strlen(s) bind(c)
      import
      character(kind=c_char) :: s(*)
      integer(c_size_t) :: strlen
    end function
    real(c_double) function c_pow(x, y) bind(c, name='pow')
      import
      real(c_double), value :: x, y
    end function
  end interface
  integer(c_int), target :: v(20)
  integer :: i
  type(c_ptr) :: p
  integer(c_int), pointer :: again(:)
  v = [(mod(i * 37, 23), i = 1, 20)]
  call qsort(v, 20_c_size_t, 4_c_size_t, c_funloc(compare))
  p = c_loc(v)
  call c_f_pointer(p, again, [20])
  print *, again, compared > 20
  print *, strlen('interoperable' // c_null_char), c_pow(2d0, 0.5d0), c_sizeof(v), c_associated(p)
end program
