# x(i) = z(i) * (y(i) - x(i-1)), x(i-1) in %f5 from the iteration before.
.L9:
   fsub8.tr  %f1, %f5, %f4      ;  ld8       8(%c6), %f1
   itsteq8   0, %i10            ;  ld8       8(%c7), %f2
   finop                        ;  sadd8.ntr 0, %c6, 8, %c6
   fmul8.tr  %f2, %f4, %f5      ;  sadd8.ntr 0, %c7, 8, %c7
   sub8.ntr  %i10, 1, %i10      ;  bcc.qn    @citst, .L9
   finop                        ;  sadd8.ntr 0, %c8, 8, %c8
   finop                        ;  st8       %f5, -8(%c8)
