# Figure 7, reconstructed from section 6.2 (its drawing is not in the published text): what is accepted.
# Perfectly nested.
.L1:
.L2:
   fadd8.tr  %f0, %f1, %f1      ;  ld8       0(%c6), %f0
   finop                        ;  bcc.qn    @citst, .L2
   finop                        ;  sadd8.ntr 0, %c6, 8, %c6
   finop                        ;  cxnop
   finop                        ;  bcc.qn    @citst, .L1
   finop                        ;  cxnop
   finop                        ;  cxnop
# Two loops side by side in a third, which has code of its own before, between and behind them.
.L3:
   finop                        ;  ld8       0(%c7), %f2
.L4:
   fmul8.tr  %f2, %f3, %f3      ;  bcc.qt    @citst, .L4
   finop                        ;  ld8       8(%c7), %f4
.L5:
   fmad8.tr  %f4, %f5, %f6      ;  bcc.qf    @citst, .L5
   finop                        ;  sadd8.ntr 0, %c7, 8, %c7
   finop                        ;  cxnop
   finop                        ;  st8       %f6, 0(%c8)
   finop                        ;  bcc.qt    @citst, .L3
# A loop with a forward branch inside.
.L6:
   finop                        ;  bcs.qt    @citst, .L7
   fadd8.tr  %f0, %f1, %f1      ;  cxnop
.L7:
   finop                        ;  bcc.qt    @citst, .L6
