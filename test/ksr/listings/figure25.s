.L19:                                  # reconstructed: code that has the counts of figure 25
.L37:
   fadd8.tr  %f0, %f1, %f40    ;  ld8       0(%c6), %f0
   finop                       ;  ld8       8(%c7), %f1
   add8.ntr  1, %i2, %i10      ;  ld8       16(%c8), %f2
   finop                       ;  ld8       24(%c6), %f3
   finop                       ;  ld8       32(%c7), %f4
   fadd8.tr  %f1, %f2, %f41    ;  ld8       40(%c8), %f5
   finop                       ;  ld8       48(%c6), %f6
   finop                       ;  ld8       56(%c7), %f7
   add8.ntr  2, %i3, %i11      ;  ld8       64(%c8), %f8
   finop                       ;  ld8       72(%c6), %f9
   fadd8.tr  %f2, %f3, %f42    ;  cxnop
   finop                       ;  ld8       80(%c7), %f10
   finop                       ;  ld8       88(%c8), %f11
   add8.ntr  3, %i4, %i12      ;  ld8       96(%c6), %f12
   finop                       ;  ld8       104(%c7), %f13
   finop                       ;  ld8       112(%c8), %f14
   fadd8.tr  %f3, %f4, %f43    ;  ld8       120(%c6), %f15
   finop                       ;  ld8       128(%c7), %f16
   finop                       ;  ld8       136(%c8), %f17
   add8.ntr  1, %i5, %i13      ;  ld8       144(%c6), %f18
   finop                       ;  ld8       152(%c7), %f19
   fadd8.tr  %f4, %f5, %f44    ;  cxnop
   finop                       ;  ld8       160(%c8), %f20
   finop                       ;  ld8       168(%c6), %f21
   add8.ntr  2, %i6, %i14      ;  ld8       176(%c7), %f22
   finop                       ;  ld8       184(%c8), %f23
   fmad8.tr  %f0, %f1, %f50    ;  ld8       192(%c6), %f24
   finop                       ;  ld8       200(%c7), %f25
   fadd8.tr  %f5, %f6, %f45    ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  3, %i7, %i15      ;  cxnop
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   fadd8.tr  %f6, %f7, %f46    ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   add8.ntr  1, %i2, %i10      ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   fadd8.tr  %f7, %f8, %f47    ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  2, %i3, %i11      ;  cxnop
   fmad8.tr  %f2, %f3, %f51    ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   fmov8     %f0, %f30         ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  3, %i4, %i12      ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   fabs8     %f1, %f31         ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  1, %i5, %i13      ;  cxnop
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   fmov8     %f2, %f32         ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  2, %i6, %i14      ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   fmad8.tr  %f4, %f5, %f52    ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   fabs8     %f3, %f33         ;  cxnop
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  3, %i7, %i15      ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   fmov8     %f4, %f34         ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   add8.ntr  1, %i2, %i10      ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   fabs8     %f5, %f35         ;  cxnop
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  2, %i3, %i11      ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  st8       %f40, 0(%c9)
   finop                       ;  st8       %f41, 8(%c10)
   fmov8     %f6, %f36         ;  st8       %f42, 16(%c9)
   finop                       ;  st8       %f43, 24(%c10)
   finop                       ;  st8       %f44, 32(%c9)
   add8.ntr  3, %i4, %i12      ;  st8       %f45, 40(%c10)
   finop                       ;  st8       %f46, 48(%c9)
   finop                       ;  st8       %f47, 56(%c10)
   fabs8     %f7, %f37         ;  cxnop
   finop                       ;  st8       %f48, 64(%c9)
   fmov8     %f8, %f30         ;  st8       %f49, 72(%c10)
   finop                       ;  st8       %f50, 80(%c9)
   finop                       ;  st8       %f51, 88(%c10)
   fabs8     %f9, %f31         ;  st8       %f52, 96(%c9)
   finop                       ;  st8       %f53, 104(%c10)
   finop                       ;  st8       %f54, 112(%c9)
   fmov8     %f10, %f32        ;  st8       %f55, 120(%c10)
   finop                       ;  st8       %f56, 128(%c9)
   itstle8   0, %i10           ;  cxnop
   finop                       ;  bcs.qt    @citst, .L17
   fmad8.tr  %f1, %f2, %f50    ;  ld8       0(%c7), %f1
   finop                       ;  ld8       8(%c7), %f2
   fmov8     %f50, %f31        ;  cxnop
   add8.ntr  1, %i9, %i11      ;  cxnop
   finop                       ;  st8       %f50, 0(%c9)
   finop                       ;  st8       %f31, 8(%c9)
   finop                       ;  st8       %f32, 16(%c9)
.L17:
   itstge8   %i5, %i9          ;  bcc.qn    @citst, .L37
   add8.ntr  1, %i5, %i5       ;  sadd8.ntr 0, %c6, 32, %c6
   finop                       ;  sadd8.ntr 0, %c9, 32, %c9
   fadd8.tr  %f0, %f1, %f40    ;  ld8       0(%c6), %f0
   finop                       ;  ld8       8(%c7), %f1
   add8.ntr  1, %i2, %i10      ;  ld8       16(%c8), %f2
   finop                       ;  ld8       24(%c6), %f3
   fadd8.tr  %f1, %f2, %f41    ;  ld8       32(%c7), %f4
   finop                       ;  ld8       40(%c8), %f5
   add8.ntr  2, %i3, %i11      ;  ld8       48(%c6), %f6
   finop                       ;  ld8       56(%c7), %f7
   finop                       ;  cxnop
   fadd8.tr  %f2, %f3, %f42    ;  ld8       64(%c8), %f8
   finop                       ;  ld8       72(%c6), %f9
   add8.ntr  3, %i4, %i12      ;  ld8       80(%c7), %f10
   finop                       ;  ld8       88(%c8), %f11
   fadd8.tr  %f3, %f4, %f43    ;  ld8       96(%c6), %f12
   finop                       ;  ld8       104(%c7), %f13
   finop                       ;  ld8       112(%c8), %f14
   add8.ntr  1, %i5, %i13      ;  ld8       120(%c6), %f15
   finop                       ;  cxnop
   fadd8.tr  %f4, %f5, %f44    ;  ld8       128(%c7), %f16
   finop                       ;  ld8       136(%c8), %f17
   add8.ntr  2, %i6, %i14      ;  ld8       144(%c6), %f18
   finop                       ;  ld8       152(%c7), %f19
   finop                       ;  ld8       160(%c8), %f20
   fadd8.tr  %f5, %f6, %f45    ;  ld8       168(%c6), %f21
   finop                       ;  ld8       176(%c7), %f22
   add8.ntr  3, %i7, %i15      ;  cxnop
   finop                       ;  ld8       184(%c8), %f23
   fadd8.tr  %f6, %f7, %f46    ;  ld8       192(%c6), %f24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   add8.ntr  1, %i2, %i10      ;  sadd8.ntr 0, %c17, 8, %c22
   fmad8.tr  %f0, %f1, %f50    ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   fmov8     %f0, %f30         ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  cxnop
   add8.ntr  2, %i3, %i11      ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   fabs8     %f1, %f31         ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   add8.ntr  3, %i4, %i12      ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   fmov8     %f2, %f32         ;  cxnop
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   add8.ntr  1, %i5, %i13      ;  sadd8.ntr 0, %c15, 8, %c20
   fmad8.tr  %f2, %f3, %f51    ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   fabs8     %f3, %f33         ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   add8.ntr  2, %i6, %i14      ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  cxnop
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   fmov8     %f4, %f34         ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   add8.ntr  3, %i7, %i15      ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   fabs8     %f5, %f35         ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  cxnop
   add8.ntr  1, %i2, %i10      ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   fmad8.tr  %f4, %f5, %f52    ;  sadd8.ntr 0, %c15, 8, %c20
   fmov8     %f6, %f36         ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   add8.ntr  2, %i3, %i11      ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   fabs8     %f7, %f37         ;  cxnop
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   add8.ntr  3, %i4, %i12      ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   fmov8     %f8, %f30         ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   add8.ntr  1, %i5, %i13      ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  cxnop
   add8.ntr  2, %i6, %i14      ;  sadd8.ntr 0, %c18, 8, %c23
   fmad8.tr  %f6, %f7, %f53    ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   add8.ntr  3, %i7, %i15      ;  sadd8.ntr 0, %c16, 8, %c21
   finop                       ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   add8.ntr  1, %i2, %i10      ;  sadd8.ntr 0, %c19, 8, %c24
   finop                       ;  sadd8.ntr 0, %c15, 8, %c20
   add8.ntr  2, %i3, %i11      ;  cxnop
   finop                       ;  sadd8.ntr 0, %c16, 8, %c21
   add8.ntr  3, %i4, %i12      ;  sadd8.ntr 0, %c17, 8, %c22
   finop                       ;  sadd8.ntr 0, %c18, 8, %c23
   finop                       ;  sadd8.ntr 0, %c19, 8, %c24
   add8.ntr  1, %i5, %i13      ;  sadd8.ntr 0, %c15, 8, %c20
   finop                       ;  st8       %f40, 0(%c9)
   add8.ntr  2, %i6, %i14      ;  st8       %f41, 8(%c10)
   finop                       ;  cxnop
   add8.ntr  3, %i7, %i15      ;  st8       %f42, 16(%c9)
   finop                       ;  st8       %f43, 24(%c10)
   finop                       ;  st8       %f44, 32(%c9)
   add8.ntr  1, %i2, %i10      ;  st8       %f45, 40(%c10)
   finop                       ;  st8       %f46, 48(%c9)
   add8.ntr  2, %i3, %i11      ;  st8       %f47, 56(%c10)
   finop                       ;  st8       %f48, 64(%c9)
   add8.ntr  3, %i4, %i12      ;  st8       %f49, 72(%c10)
   finop                       ;  cxnop
   finop                       ;  st8       %f50, 80(%c9)
   add8.ntr  1, %i5, %i13      ;  st8       %f51, 88(%c10)
   finop                       ;  st8       %f52, 96(%c9)
   add8.ntr  2, %i6, %i14      ;  st8       %f53, 104(%c10)
   finop                       ;  st8       %f54, 112(%c9)
   add8.ntr  3, %i7, %i15      ;  st8       %f55, 120(%c10)
   finop                       ;  st8       %f56, 128(%c9)
   finop                       ;  cxnop
   itstge8   %i6, %i12         ;  bcc.qn    @citst, .L19
   add8.ntr  1, %i6, %i6       ;  sadd8.ntr 0, %c6, 64, %c6
   finop                       ;  sadd8.ntr 0, %c9, 64, %c9
