# Figure 8: the residue of the outer loop is its code before and behind the inner one.
.L10:
   movi8     0, %i5             ;  ld8       0(%c5), %f0
   finop                        ;  ld8       8(%c5), %f1
.L11:
   fmad8.tr  %f0, %f2, %f3      ;  ld8       0(%c6), %f2
   add8.ntr  1, %i5, %i5        ;  sadd8.ntr 0, %c6, 8, %c6
   itstge8   %i5, %i9           ;  cxnop
   finop                        ;  bcc.qn    @citst, .L11
   finop                        ;  cxnop
   finop                        ;  cxnop
   fadd8.tr  %f1, %f3, %f3      ;  sadd8.ntr 0, %c5, 16, %c5
   itstge8   %i6, %i10          ;  cxnop
   add8.ntr  1, %i6, %i6        ;  bcc.qn    @citst, .L10
   finop                        ;  st8       %f3, -8(%c5)
   finop                        ;  cxnop
