! What the tests write through the server, line by line, as a program of its own: its output is reference.txt.
program reference
  implicit none
  character(200) :: path
  integer :: status
  character(80) :: message
  character(4) :: wrong = '(Q7)'
  call get_command_argument(1, path)
  open(unit=10, file=trim(path), status='replace')
  write(10, *) -128_1, 32767_2, -2147483648_4, 9223372036854775807_8
  write(10, *) 170141183460469231731687303715884105727_16, -1_16
  write(10, *) 0.1_4, 3.4028235e38_4, transfer(1_4, 1.0_4), -0.0_4, 1.0_4
  write(10, *) 0.1_8, 1.7976931348623157e308_8, transfer(1_8, 1.0_8), -0.0_8, 1.0e10_8
  write(10, *) transfer(9221120237041090560_8, 1.0_8), transfer(9218868437227405312_8, 1.0_8), &
    transfer(-4503599627370496_8, 1.0_8), transfer(2143289344_4, 1.0_4), transfer(-8388608_4, 1.0_4)
  write(10, *) cmplx(1.5_4, -2.5_4, kind=4), cmplx(0.1_8, -1.0e100_8, kind=8)
  write(10, *) .true., .false.
  write(10, *) 'It''s a "text"', 'next', '', ' blank '
  write(10, *) 'x =', 42, 2.5_8, .true., 'end'
  write(10, *) 1, 'a', 'b', 2
  write(10, *)
  write(10, *) 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000, 12000
  write(10, *) 1.0_8, 0.5_8, 0.3333333333333333_8, 0.25_8, 0.2_8, 0.16666666666666666_8
  write(10, *) '012345678901234567890123456789012345678901234567890123456789&
    &012345678901234567890123456789012345678901234567890123456789', 7
  write(10, '(I5)') 42
  write(10, '(I3)') 12345
  write(10, '(I6.4,I0,1X,Z8,O6,B8.8)') 42, -7, 255, 8, 5
  write(10, '(F8.3,ES12.4,E12.4E3,EN12.3,G12.4)') 3.14159_8, 12345.678_8, -1.0e-10_8, 1.0e5_8, 0.5_8
  write(10, '(F0.2,1X,F5.1,1X,D12.5)') -0.004_8, 99999.9_8, 2.0_8
  write(10, '(F8.3,ES12.4)') transfer(9221120237041090560_8, 1.0_8), transfer(-4503599627370496_8, 1.0_8)
  write(10, '(A,A5,A2,L3,L1)') 'abc', 'de', 'wxyz', .true., .false.
  write(10, '(2(I3,1X),3X,"text",T20,A)') 1, 2, 'end'
  write(10, '(I2,/,I4)') 1, 2
  write(10, '(3I4)') 1, 2, 3, 4, 5, 6, 7
  write(10, '("first",2(I3,","),:,"more")') 1, 2, 3
  write(10, '(SP,I4,F7.2,S,I4)') 5, 1.5_8, 6
  write(10, '(2F8.2)') cmplx(1.5_4, -2.5_4, kind=4)
  write(10, '(A)', advance='no') 'one '
  write(10, '(A)') 'line'
  write(10, '(I5)', iostat=status, iomsg=message) 1.5_8
  write(10, '(I0,1X,A)') status, trim(message)
  write(10, wrong, iostat=status, iomsg=message) 1
  write(10, '(I0,1X,A)') status, trim(message)
  close(10)
end program
