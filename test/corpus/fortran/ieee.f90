! IEEE modules: classes, NaN, infinities, rounding modes.
program ieee
  use ieee_arithmetic
  implicit none
  real(8) :: x, inf, nan, y
  type(ieee_round_type) :: modes(4)
  integer :: i
  x = 1
  inf = ieee_value(x, ieee_positive_inf)
  nan = ieee_value(x, ieee_quiet_nan)
  print *, ieee_is_nan(nan), ieee_is_finite(inf), ieee_is_normal(tiny(x)), ieee_is_negative(-0d0)
  print *, ieee_copy_sign(2d0, -0d0), ieee_logb(1000d0), ieee_next_after(1d0, 2d0) - 1, ieee_rem(7d0, 4d0), ieee_scalb(1d0, 5)
  modes = [ieee_nearest, ieee_up, ieee_down, ieee_to_zero]
  do i = 1, 4
    call ieee_set_rounding_mode(modes(i))
    y = x / 3
    print '(z16, 1x, f4.1)', y, ieee_rint(2.5d0)
    x = -x
  end do
  call ieee_set_rounding_mode(ieee_nearest)
  print *, inf > huge(x), nan == nan, ieee_class(nan) == ieee_quiet_nan
end program
