# Figures 20, 21 and 23: labels 0 to 3 of four loops in three shells. .L2 and .L3 are in .L1, which is in .L0.
.L0:
   fadd8.tr  %f0, %f1, %f1      ;  cxnop
.L1:
   fadd8.tr  %f0, %f2, %f2      ;  cxnop
.L2:
   fmul8.tr  %f0, %f3, %f3      ;  cxnop
   finop                        ;  bcc.qt    @citst, .L2
.L3:
   fmad8.tr  %f0, %f4, %f4      ;  cxnop
   finop                        ;  bcc.qt    @citst, .L3
   fadd8.tr  %f0, %f5, %f5      ;  cxnop
   finop                        ;  bcc.qt    @citst, .L1
   fadd8.tr  %f0, %f6, %f6      ;  cxnop
   finop                        ;  bcc.qt    @citst, .L0
