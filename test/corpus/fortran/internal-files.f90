! Reading and writing character variables, namelists, list-directed input, errors of reading.
program internal_files
  implicit none
  character(80) :: line, lines(8)
  integer :: i, j, stat
  real(8) :: x, y
  logical :: t
  complex :: z
  character(20) :: word, message
  namelist /settings/ j, x, word
  write (line, '(i5, f10.3, a)') 12, 3.5d0, 'abc'
  print *, trim(line), len_trim(line)
  read (line, '(i5, f10.3, a3)') i, x, word
  print *, i, x, trim(word)
  line = '7, 2*3.5 "quoted word" T (1.5,-2)'
  read (line, *) i, x, y, word, t, z
  print *, i, x, y, word, t, z
  line = '12 abc'
  read (line, *, iostat=stat) i, j
  print *, i, stat > 0
  line = ''
  read (line, *, iostat=stat) i
  print *, stat < 0
  line = '0012345678'
  read (line, '(i4, i3, i3)') i, j, stat
  print *, i, j, stat
  line = '1.5E3  2D-2 .5'
  read (line, '(e7.0, d5.0, f3.0)') x, y, z%re
  print *, x, y, z%re
  lines(1:3) = ['&settings j = 9,                ', ' x = 2.25, word = "from a list" ', '/                               ']
  read (lines, nml=settings)
  print *, j, x, word
  write (lines, nml=settings)
  print '(a)', (trim(lines(i)), i = 1, 5)
  line = 'ff 777 101'
  read (line, '(z2, 1x, o3, 1x, b3)') i, j, stat
  print *, i, j, stat
end program
