! Submodules, module procedures, enumerations, import, generic resolution by rank and kind.
module geometry
  implicit none
  enum, bind(c)
    enumerator :: red = 1, green, blue = 10
  end enum
  interface area
    module real(8) function area_circle(r)
      real(8), intent(in) :: r
    end function
    module real(8) function area_box(a, b)
      real(8), intent(in) :: a, b
    end function
    module integer function area_cells(m)
      integer, intent(in) :: m(:, :)
    end function
  end interface
end module
submodule(geometry) implementation
contains
  module procedure area_circle
    area_circle = 3.25d0 * r * r
  end procedure
  module procedure area_box
    area_box = a * b
  end procedure
  module procedure area_cells
    area_cells = count(m > 0)
  end procedure
end submodule
program main
  use geometry, only: area, red, green, hue => blue
  implicit none
  integer :: grid(6, 7), i, j
  do j = 1, 7
    do i = 1, 6
      grid(i, j) = mod(i * j, 4) - 1
    end do
  end do
  print *, area(2d0), area(2d0, 3d0), area(grid), red, green, hue
end program
