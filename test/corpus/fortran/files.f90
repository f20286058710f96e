! Files: sequential, direct, stream, unformatted, inquire, rewind, backspace, delete.
program files
  implicit none
  integer :: u, i, n, stat, record(4)
  real(8) :: x, total
  character(40) :: line
  logical :: there
  open (newunit=u, file='seq.txt', status='replace', action='readwrite')
  do i = 1, 50
    write (u, '(i4, f10.4)') i, sqrt(real(i, 8))
  end do
  rewind (u)
  total = 0
  n = 0
  do
    read (u, *, iostat=stat) i, x
    if (stat /= 0) exit
    n = n + 1
    total = total + x
  end do
  print *, n, total, stat < 0
  backspace (u)
  backspace (u)
  read (u, '(a)') line
  print *, trim(line)
  close (u, status='delete')
  open (newunit=u, file='direct.bin', access='direct', recl=16, form='unformatted', status='replace')
  do i = 1, 10
    write (u, rec=i) i, i * i, i**3, -i
  end do
  read (u, rec=7) record
  print *, record
  write (u, rec=12) 1, 2, 3, 4
  inquire (u, size=n, nextrec=i)
  print *, n, i
  close (u, status='delete')
  open (newunit=u, file='stream.bin', access='stream', form='unformatted', status='replace')
  write (u) 1.5d0, 'text', 42
  read (u, pos=9) line(1:4)
  inquire (u, pos=n)
  print *, line(1:4), n
  close (u)
  open (newunit=u, file='stream.bin', form='unformatted', access='stream')
  read (u) x
  print *, x
  close (u, status='delete')
  open (newunit=u, file='unf.bin', form='unformatted', status='replace')
  write (u) [(i, i = 1, 1000)]
  write (u) 'second record'
  rewind (u)
  read (u)
  read (u) line(1:13)
  print *, line(1:13)
  close (u, status='delete')
  inquire (file='unf.bin', exist=there)
  open (newunit=u, file='missing', status='old', iostat=stat)
  print *, there, stat /= 0
end program
