	.file	"lfk1.f"
	.text
	.def	lfk1$TXT;	.val	lfk1$TXT;	.scl	2;	.endef
lfk1$TXT:
   finop                        ;  cxnop
   finop                        ;  cxnop
# x(k) = q + y(k) * (r * z(k+10) + t * z(k+11)), four iterations: z(k+11) serves the next one.
.L6:
   fmul8.tr  %f1, %f10, %f20    ;  ld8       88(%c7), %f11
   itsteq8   0, %i10            ;  ld8       96(%c7), %f12
   fmad8.tr  %f2, %f11, %f20    ;  ld8       104(%c7), %f13
   fmul8.tr  %f1, %f11, %f21    ;  ld8       112(%c7), %f14
   fmad8.tr  %f2, %f12, %f21    ;  ld8       0(%c6), %f30
   fmul8.tr  %f1, %f12, %f22    ;  ld8       8(%c6), %f31
   fmad8.tr  %f2, %f13, %f22    ;  ld8       16(%c6), %f32
   fmul8.tr  %f1, %f13, %f23    ;  ld8       24(%c6), %f33
   fmad8.tr  %f2, %f14, %f23    ;  sadd8.ntr 0, %c6, 32, %c6
   fmad8.tr  %f30, %f20, %f0, %f40 ; sadd8.ntr 0, %c7, 32, %c7
   fmad8.tr  %f31, %f21, %f0, %f41 ; sadd8.ntr 0, %c8, 32, %c8
   fmad8.tr  %f32, %f22, %f0, %f42 ; cxnop
   fmad8.tr  %f33, %f23, %f0, %f43 ; cxnop
   fmov8     %f14, %f10         ;  st8       %f40, -32(%c8)
   sub8.ntr  %i10, 1, %i10      ;  st8       %f41, -24(%c8)
   finop                        ;  bcc.qn    @citst, .L6
   finop                        ;  st8       %f42, -16(%c8)
   finop                        ;  st8       %f43, -8(%c8)
