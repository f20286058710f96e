! Character functions: index, scan, verify, adjust, repeat, comparisons, substrings, conversion.
program characters
  implicit none
  character(*), parameter :: text = 'The quick brown fox'
  character(30) :: s
  character(:), allocatable :: d
  integer :: i
  character(5) :: words(4) = ['pear ', 'apple', 'fig  ', 'date ']
  print *, index(text, 'quick'), index(text, 'o', back=.true.), scan(text, 'aeiou'), verify(text, 'The '), len(text)
  s = '   padded'
  print *, '[', adjustl(s), ']', '[', adjustr(s), ']', len_trim(s), '[', trim(adjustl(s)), ']'
  print *, repeat('ab-', 3), ichar('A'), char(97), achar(66), iachar('z')
  print *, 'abc' < 'abd', lge('b', 'B'), 'a' == 'a  ', text(5:9), text(17:)
  d = 'grow'
  do i = 1, 3
    d = d // '/' // d(1:i)
  end do
  print *, d, len(d)
  s = text
  do i = 1, len_trim(s)
    if (s(i:i) >= 'a' .and. s(i:i) <= 'z') s(i:i) = achar(iachar(s(i:i)) - 32)
  end do
  print *, s
  s(1:3) = s(2:4)
  print *, s, count([(s(i:i) == ' ', i = 1, 30)])
  print *, minval(iachar(words(:)(1:1))), [(trim(words(i)) // ';', i = 1, 1)]
  select case (words(2))
  case ('a':'c')
    print *, 'a to c'
  case default
    print *, 'other'
  end select
end program
