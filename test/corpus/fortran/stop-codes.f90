! corpus: -fno-backtrace
! error stop with a code, after output to both streams.
program stop_codes
  use iso_fortran_env, only: error_unit, output_unit
  implicit none
  write (output_unit, *) 'to output'
  write (error_unit, *) 'to errors'
  flush (output_unit)
  error stop 17
end program
