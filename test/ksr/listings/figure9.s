# Figure 9: an innermost loop with forward branches. The first is quashed when taken, the second executes its
# delay slots, the third ends behind the fourth's beginning: they intersect.
.L20:
   fcmp8     %f0, %f1           ;  ld8       0(%c6), %f0
   finop                        ;  bcs.qt    @cftst, .L21
   fadd8.tr  %f0, %f1, %f1      ;  cxnop
   finop                        ;  st8       %f1, 0(%c7)
.L21:
   finop                        ;  bcc.qn    @cftst, .L22
   finop                        ;  sadd8.ntr 0, %c6, 8, %c6
   finop                        ;  sadd8.ntr 0, %c7, 8, %c7
   fmul8.tr  %f0, %f2, %f2      ;  cxnop
   fmul8.tr  %f0, %f3, %f3      ;  cxnop
   fmul8.tr  %f0, %f4, %f4      ;  cxnop
.L22:
   finop                        ;  bcs.qt    @cftst, .L23
   fneg8     %f2, %f2           ;  cxnop
   finop                        ;  bcs.qt    @cftst, .L24
   fabs8     %f3, %f3           ;  cxnop
.L23:
   fsub8.tr  %f2, %f3, %f5      ;  cxnop
.L24:
   itstge8   %i5, %i9           ;  cxnop
   add8.ntr  1, %i5, %i5        ;  bcc.qn    @citst, .L20
   finop                        ;  st8       %f5, -8(%c7)
   finop                        ;  cxnop
