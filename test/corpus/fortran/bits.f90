! Bit intrinsics.
program bits
  implicit none
  integer :: i, a, l_to = 0
  integer(8) :: l
  do i = 1, 6
    a = i * 123456789
    print *, iand(a, 255), ior(a, 4096), ieor(a, -1), not(a), ishft(a, 3), ishft(a, -5), ishftc(a, 7), ishftc(a, -3, 8)
    print *, btest(a, i), ibset(a, 30), ibclr(a, 2), ibits(a, 4, 9), popcnt(a), poppar(a), leadz(a), trailz(a)
    print *, shiftl(a, 2), shiftr(a, 2), shifta(-a, 2), dshiftl(a, i, 5), maskl(i), maskr(i), merge_bits(a, i, 255)
    l = int(a, 8) * 7919
    print *, popcnt(l), leadz(l), ishftc(l, 33), bge(a, -1), blt(1, -1)
    call mvbits(a, 0, 8, l_to, 16)
    print *, l_to
  end do
end program
