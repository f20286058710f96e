! A binary tree, a hash table with chains, a queue: all by pointers and allocatable components.
module containers
  implicit none
  type tree
    integer :: key
    type(tree), allocatable :: left, right
  end type
  type entry
    character(12) :: key
    integer :: value
    type(entry), pointer :: next => null()
  end type
  type bucket
    type(entry), pointer :: first => null()
  end type
contains
  recursive subroutine insert(t, key)
    type(tree), allocatable, intent(inout) :: t
    integer, intent(in) :: key
    if (.not. allocated(t)) then
      allocate (t)
      t%key = key
    else if (key < t%key) then
      call insert(t%left, key)
    else if (key > t%key) then
      call insert(t%right, key)
    end if
  end subroutine
  recursive integer function height(t) result(h)
    type(tree), allocatable, intent(in) :: t
    h = 0
    if (allocated(t)) h = 1 + max(height(t%left), height(t%right))
  end function
  recursive subroutine walk(t, hash)
    type(tree), allocatable, intent(in) :: t
    integer(8), intent(inout) :: hash
    if (.not. allocated(t)) return
    call walk(t%left, hash)
    hash = mod(hash * 31 + t%key, 1000000007_8)
    call walk(t%right, hash)
  end subroutine
  integer function slot(key)
    character(*), intent(in) :: key
    integer :: i
    slot = 7
    do i = 1, len_trim(key)
      slot = mod(slot * 31 + iachar(key(i:i)), 101)
    end do
    slot = slot + 1
  end function
end module
program linked
  use containers
  implicit none
  type(tree), allocatable :: root
  type(bucket) :: table(101)
  type(entry), pointer :: e
  integer :: i, longest, n, k
  integer(8) :: hash
  character(12) :: key
  do i = 1, 800
    call insert(root, mod(i * 7919, 1009))
  end do
  hash = 0
  call walk(root, hash)
  print *, height(root), hash
  do i = 1, 600
    write (key, '("k", i0)') mod(i * 37, 251)
    k = slot(key)
    e => table(k)%first
    do while (associated(e))
      if (e%key == key) exit
      e => e%next
    end do
    if (.not. associated(e)) then
      allocate (e)
      e = entry(key, 0, table(k)%first)
      table(k)%first => e
    end if
    e%value = e%value + i
  end do
  longest = 0
  hash = 0
  do i = 1, 101
    n = 0
    e => table(i)%first
    do while (associated(e))
      n = n + 1
      hash = hash + e%value * i
      e => e%next
    end do
    longest = max(longest, n)
  end do
  print *, longest, hash
end program
