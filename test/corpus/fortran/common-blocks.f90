! corpus: -ffree-form -std=legacy
! Old ways: common, equivalence, data, goto, arithmetic if, entry, statement functions, block data.
      block data
      common /shared/ a, b, n
      real :: a(5), b
      integer :: n
      data a /5*1.5/, b /2.5/, n /7/
      end block data
      program old
      common /shared/ a, b, n
      real :: a(5), b, f, x
      integer :: n, i, k(4), bits
      real :: alias
      equivalence (bits, alias)
      data k /1, 2, 2*9/
      f(x) = x * x + b
      i = 0
   10 i = i + 1
      if (i - 3) 20, 30, 40
   20 a(i) = f(a(i))
      goto 10
   30 a(3) = -1
      goto 10
   40 continue
      goto (50, 60, 70), i - 2
   50 print *, 'fifty'
   60 print *, 'sixty', k
   70 alias = 1.0
      print *, a, bits, n
      call sub(n)
      call other(n)
      print *, n
      do 80 i = 1, 3
   80 k(i) = k(i) + i
      print *, k
      end program
      subroutine sub(m)
      integer :: m
      m = m + 1
      return
      entry other(m)
      m = m * 10
      end subroutine
