# Figure 10: a scan over three loops. When the branch to .L33 is met, what was counted since .L33 is a loop;
# then the one of .L32, less that; then the one of .L31, less both.
.L31:
   movi8     0, %i5             ;  cxnop
.L32:
   movi8     0, %i6             ;  ld8       0(%c5), %f0
.L33:
   fmad8.tr  %f0, %f1, %f2      ;  ld8       0(%c6), %f1
   itstge8   %i6, %i9           ;  sadd8.ntr 0, %c6, 8, %c6
   add8.ntr  1, %i6, %i6        ;  bcc.qn    @citst, .L33
   finop                        ;  cxnop
   finop                        ;  cxnop
   itstge8   %i5, %i10          ;  st8       %f2, 0(%c5)
   add8.ntr  1, %i5, %i5        ;  bcc.qf    @citst, .L32
   finop                        ;  sadd8.ntr 0, %c5, 8, %c5
   finop                        ;  cxnop
   itstge8   %i4, %i11          ;  cxnop
   add8.ntr  1, %i4, %i4        ;  bcc.qt    @citst, .L31
   finop                        ;  cxnop
   finop                        ;  cxnop
