# The same, x(i-1) through memory: stored behind the branch, loaded by the next iteration.
.L9:
   finop                        ;  ld8       0(%c8), %f5
   finop                        ;  ld8       0(%c6), %f1
   finop                        ;  ld8       0(%c7), %f2
   fsub8.tr  %f1, %f5, %f4      ;  sadd8.ntr 0, %c6, 8, %c6
   itsteq8   0, %i10            ;  sadd8.ntr 0, %c7, 8, %c7
   sub8.ntr  %i10, 1, %i10      ;  sadd8.ntr 0, %c8, 8, %c8
   fmul8.tr  %f2, %f4, %f6      ;  cxnop
   finop                        ;  bcc.qn    @citst, .L9
   finop                        ;  cxnop
   finop                        ;  st8       %f6, 0(%c8)
