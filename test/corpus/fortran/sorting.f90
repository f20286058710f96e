! Sorts and searches: quick, heap, merge, insertion; of numbers, of characters by index.
program sorting
  implicit none
  integer, parameter :: n = 300
  integer :: v(n), a(n), i, order(6), at
  character(6) :: names(6) = ['pear  ', 'apple ', 'fig   ', 'cherry', 'date  ', 'banana']
  v = [(mod(i * 7919, 1009) - 400, i = 1, n)]
  a = v
  call quick(a, 1, n)
  print *, a(1), a(n), checksum(a)
  a = v
  call heap(a)
  print *, a(1), a(n), checksum(a)
  a = v
  call merge_sort(a)
  print *, a(1), a(n), checksum(a)
  at = search(a, 5)
  print *, at, a(max(at, 1)), search(a, 10000)
  order = [(i, i = 1, 6)]
  do i = 2, 6
    at = i
    do while (at > 1)
      if (names(order(at - 1)) <= names(order(at))) exit
      order([at - 1, at]) = order([at, at - 1])
      at = at - 1
    end do
  end do
  print *, names(order)
contains
  integer(8) function checksum(x)
    integer, intent(in) :: x(:)
    integer :: k
    checksum = 0
    do k = 1, size(x)
      checksum = mod(checksum * 31 + x(k), 1000000007_8)
    end do
  end function
  recursive subroutine quick(x, low, high)
    integer, intent(inout) :: x(:)
    integer, intent(in) :: low, high
    integer :: i, j, p, t
    if (low >= high) return
    p = x((low + high) / 2)
    i = low
    j = high
    do
      do while (x(i) < p)
        i = i + 1
      end do
      do while (x(j) > p)
        j = j - 1
      end do
      if (i >= j) exit
      t = x(i); x(i) = x(j); x(j) = t
      i = i + 1
      j = j - 1
    end do
    call quick(x, low, i - 1)
    call quick(x, j + 1, high)
  end subroutine
  subroutine heap(x)
    integer, intent(inout) :: x(:)
    integer :: k, t
    do k = size(x) / 2, 1, -1
      call sift(x, k, size(x))
    end do
    do k = size(x), 2, -1
      t = x(1); x(1) = x(k); x(k) = t
      call sift(x, 1, k - 1)
    end do
  end subroutine
  subroutine sift(x, from, last)
    integer, intent(inout) :: x(:)
    integer, intent(in) :: from, last
    integer :: i, c, t
    i = from
    do
      c = 2 * i
      if (c > last) exit
      if (c < last) then
        if (x(c + 1) > x(c)) c = c + 1
      end if
      if (x(i) >= x(c)) exit
      t = x(i); x(i) = x(c); x(c) = t
      i = c
    end do
  end subroutine
  recursive subroutine merge_sort(x)
    integer, intent(inout) :: x(:)
    integer :: l((size(x) + 1) / 2), r(size(x) / 2), i, j, k
    if (size(x) < 2) return
    l = x(:size(l))
    r = x(size(l) + 1:)
    call merge_sort(l)
    call merge_sort(r)
    i = 1
    j = 1
    do k = 1, size(x)
      if (j > size(r)) then
        x(k) = l(i); i = i + 1
      else if (i > size(l)) then
        x(k) = r(j); j = j + 1
      else if (l(i) <= r(j)) then
        x(k) = l(i); i = i + 1
      else
        x(k) = r(j); j = j + 1
      end if
    end do
  end subroutine
  integer function search(x, key)
    integer, intent(in) :: x(:), key
    integer :: low, high, mid
    low = 1
    high = size(x)
    search = 0
    do while (low <= high)
      mid = (low + high) / 2
      if (x(mid) == key) then
        search = mid
        return
      else if (x(mid) < key) then
        low = mid + 1
      else
        high = mid - 1
      end if
    end do
  end function
end program
