# Figure 7, reconstructed: what is not accepted. The second loop begins inside the first and ends behind it.
.L1:
   fadd8.tr  %f0, %f1, %f1      ;  cxnop
.L2:
   fmul8.tr  %f0, %f2, %f2      ;  cxnop
   finop                        ;  bcc.qn    @citst, .L1
   finop                        ;  cxnop
   finop                        ;  cxnop
   finop                        ;  bcc.qn    @citst, .L2
   finop                        ;  cxnop
   finop                        ;  cxnop
