# Appendix A.4: the delay slots of a branch back, by what they do when it is taken.
.L40:
   fadd8.tr  %f0, %f1, %f1      ;  bcc.qn    @citst, .L40
   fadd8.tr  %f0, %f2, %f2      ;  cxnop
   fadd8.tr  %f0, %f3, %f3      ;  cxnop
.L41:
   fadd8.tr  %f0, %f1, %f1      ;  bcc.qf    @citst, .L41
   fadd8.tr  %f0, %f2, %f2      ;  cxnop
   fadd8.tr  %f0, %f3, %f3      ;  cxnop
.L42:
   fadd8.tr  %f0, %f1, %f1      ;  bcc.qt    @citst, .L42
   fadd8.tr  %f0, %f2, %f2      ;  cxnop
   fadd8.tr  %f0, %f3, %f3      ;  cxnop
.L43:
   fadd8.tr  %f0, %f1, %f1      ;  jmp       .L43
   fadd8.tr  %f0, %f2, %f2      ;  cxnop
   fadd8.tr  %f0, %f3, %f3      ;  cxnop
