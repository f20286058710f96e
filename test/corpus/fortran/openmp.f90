! corpus: uncounted apart:20000 -fopenmp
! OpenMP: parallel do with reductions, private data, tasks, critical.
program openmp
  use omp_lib
  implicit none
  integer :: i, counted, total
  real(8) :: x(2000), s
  call omp_set_num_threads(3)
  s = 0
  counted = 0
  !$omp parallel do schedule(static)
  do i = 1, 2000
    x(i) = i * 0.25d0
  end do
  !$omp end parallel do
  !$omp parallel do reduction(+:s) schedule(dynamic, 50)
  do i = 1, 2000
    s = s + x(i)
  end do
  !$omp end parallel do
  !$omp parallel private(i)
  do i = 1, 100
    !$omp atomic
    counted = counted + 1
  end do
  !$omp end parallel
  total = 0
  !$omp parallel
  !$omp single
  do i = 1, 10
    !$omp task firstprivate(i)
    !$omp critical
    total = total + i * i
    !$omp end critical
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  print *, s, counted, total
end program
