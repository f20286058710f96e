! Pointers and targets: lists, sections, remapped bounds, association.
program pointers
  implicit none
  type node
    integer :: v
    type(node), pointer :: next => null()
  end type
  type(node), pointer :: head, n
  integer, target :: a(10), m(3, 4)
  integer, pointer :: p(:), q(:, :), s
  integer :: i
  nullify (head)
  do i = 1, 20
    allocate (n)
    n%v = mod(i * 7, 11)
    n%next => head
    head => n
  end do
  i = 0
  n => head
  do while (associated(n))
    i = i * 3 + n%v
    i = mod(i, 100003)
    n => n%next
  end do
  print *, i
  a = [(i, i = 1, 10)]
  p => a(10:1:-3)
  p = p * 100
  print *, a, size(p), p
  q(0:1, 1:5) => a
  print *, q(1, 3), lbound(q), ubound(q)
  m = reshape(a, [3, 4], pad=[0])
  q => m(::2, 2:3)
  q = -1
  s => m(2, 2)
  s = 77
  print *, m, associated(s, m(2, 2)), associated(p, a)
  do while (associated(head))
    n => head%next
    deallocate (head)
    head => n
  end do
  print *, associated(head)
end program
