;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 52524
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-18, <-32
MOV.I  >21, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END

;redcode
;name T2 52524
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-18, <-32
MOV.I  >21, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END

;redcode
;name T2 52524
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-18, <-32
MOV.I  >21, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END

;redcode
;name T2 52524
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-18, <-32
MOV.I  >21, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END

;redcode
;name T2 52524
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-18, <-32
MOV.I  >21, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END

;redcode
;name T2 52524
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-18, <-32
MOV.I  >21, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END

;redcode
;name T0 117710
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.F  #37, <-30
MOV.I  <-4, <39
DJN.F  >-25, <20
DJN.I  #7, <16
END

;redcode
;name T10 117160
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #38, >25
SPL.A  #20, <32
MOV.I  <-1, <-34
MOV.I  <-7, <-35
DJN.X  >-17, <15
END

;redcode
;name T11 114121
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-10, <-27
DIV.F  #38, <-28
MOV.I  >-4, }21
DJN.I  #27, {-2
END

;redcode
;name T12 108202
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #27, <-39
SPL.A  #31, <-8
MOV.I  <23, <-30
MOV.I  >-28, <38
DJN.I  }-21, <-22
END

;redcode
;name T13 118003
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #29, <32
SPL.AB #-21, <12
MUL.I  <-9, >-1
MOV.I  <-26, {-35
JMP.F  <-15, <-16
END

;redcode
;name T14 102224
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.A  #-22, <-36
SUB.I  {33, <33
SPL.F  #-39, <-32
MOV.I  <-5, {-23
DJN.X  >-21, <37
END

;redcode
;name T15 105025
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.A  #-4, }31
DJN.F  #22, <-29
DJN.AB >16, <27
DIV.A  >-10, @-39
END

;redcode
;name T16 117246
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #22, >17
SPL.A  #19, >11
MOV.I  #8, <37
MOV.I  $7, {-27
JMP.I  }-3, >-20
END

;redcode
;name T17 101687
;author Galapagos
;assert CORESIZE == 80
ORG 0
MOV.I  }-13, $-31
SPL.F  #-34, <-27
DJN.I  #15, <-35
SPL.B  <-34, >27
SPL.AB {28, }16
END

;redcode
;name T18 108728
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #36, >26
SPL.I  #22, >16
MOV.I  #6, <37
DJN.F  >-2, <-11
END

;redcode
;name T19 116349
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-19, >12
MOV.I  >-28, <37
SPL.B  #29, <-9
MOV.I  #8, <23
DJN.A  @22, >-27
END

;redcode
;name T1 114971
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #39, >16
SPL.I  #40, <-32
MOV.I  #11, <26
MOV.I  #8, <36
DJN.X  >28, <-6
END

;redcode
;name T2 113272
;author Galapagos
;assert CORESIZE == 80
ORG 0
MUL.X  <12, $24
MOV.I  >-34, <-35
JMP.I  $-1, <-19
JMP.A  #17, <-27
END

;redcode
;name T3 108193
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #8, >-38
MOV.I  *0, >-34
SPL.B  #-2, >36
MOV.I  }-1, >-18
DJN.F  <26, {-23
END

;redcode
;name T4 108854
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #-9, <-28
MOV.I  #7, <18
MOV.I  <30, <-30
DJN.F  #8, <-5
END

;redcode
;name T5 117115
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.F  #33, >36
SPL.BA #-30, {9
MOV.I  >30, >-1
DJN.I  $-1, <-16
END

;redcode
;name T6 107216
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-1, {28
DJN.I  #-33, <-29
SPL.B  <-27, }-21
SPL.B  <-5, }23
END

;redcode
;name T7 106617
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.AB #-17, >-12
MOV.I  >22, <-33
MOV.I  >33, {-3
MOV.I  >11, {-3
MOV.I  >25, {-3
END

;redcode
;name T8 97278
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #21, >-18
MOV.I  #-21, {-1
MOV.I  >-14, <34
MOV.I  #-25, {-1
DJN.B  <-1, <-39
END

;redcode
;name T9 112179
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.AB #40, >-31
MOV.I  >-13, <21
MOV.I  <-37, {-23
MOV.I  <28, {-5
MOV.I  >-22, <-39
END

;redcode
;name T0 57086
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-16, >-12
MOV.I  >22, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END

;redcode
;name T1 49269
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #37, >-31
MOV.I  >-13, <21
MOV.I  <-37, {-23
MOV.I  <28, {-4
MOV.I  >-20, <-39
END

;redcode
;name T2 30868
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #23, >-18
MOV.I  #-22, {-1
MOV.I  >-14, <38
MOV.I  #-26, {-1
DJN.AB <-1, <-37
END

;redcode
;name T3 59069
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-37, >14
SPL.F  #-37, <-32
MOV.I  #14, <26
MOV.I  #8, <36
DJN.B  >28, <-6
END

;redcode
;name T5 49171
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.A  #-14, >34
MOV.I  #5, <17
MOV.I  >-25, <-30
MOV.X  >29, <39
DJN.F  #15, <-9
END

;redcode
;name T0 90018
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #29, <-37
SPL.AB #24, <24
MOV.I  >15, <-30
DJN.F  >-18, <40
END

;redcode
;name T1 91959
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #-14, >36
SPL.I  #-17, <-30
MOV.I  #3, >-12
MOV.I  *-13, {19
DJN.X  <-14, >38
END

;redcode
;name T2 87410
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.F  #-24, }18
MUL.I  >-9, <-1
SPL.AB #32, >-34
MUL.X  <38, <33
DJN.A  {-4, >-16
END

;redcode
;name T3 89941
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.B  #-9, >21
MUL.I  >-12, {-29
MOV.I  >24, <-15
JMN.I  {-31, <-16
DIV.F  >-18, }-3
END

;redcode
;name T5 88443
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-13, >-19
SPL.AB #-31, <35
MOV.I  #25, {23
ADD.F  #22, >-16
DJN.B  $15, <38
END

;redcode
;name T6 92074
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.F  #-35, >-29
SPL.AB #-16, }-33
MOV.X  <30, {-1
SPL.X  >36, <14
JMP.F  >26, >22
END

;redcode
;name T7 89675
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.A  #-19, <21
MOV.I  <28, {-21
DJN.I  #-34, <-34
JMP.A  #-19, <-27
END

;redcode
;name T8 89066
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #31, }-23
SPL.F  #-15, >13
MOV.I  #7, <-15
MOV.I  <-11, <33
MOV.I  >34, <19
END

;redcode
;name T9 88847
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.F  #39, >-27
MOV.I  >16, {1
SPL.B  #-37, >23
DJN.F  <-11, >22
END

;redcode
;name T2 66392
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.X  #30, >-22
MOV.I  }11, {-7
MOV.I  >-21, }-2
MOV.I  >20, }-2
DJN.I  #21, <-30
END

;redcode
;name T0 93330
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.F  #20, >35
SPL.X  #-14, >-16
MOV.I  #4, <26
MUL.X  >-13, <-38
SPL.A  <20, >-26
END

;redcode
;name T1 90839
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.A  #-38, }-16
MOV.I  #-16, }2
SPL.A  #-29, >19
SPL.F  $28, {-18
DJN.AB <27, <-12
END

;redcode
;name T2 66392
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.X  #30, >-22
MOV.I  }11, {-7
MOV.I  >-21, }-2
MOV.I  >20, }-2
DJN.I  #21, <-30
END

;redcode
;name T3 93651
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.AB #35, <-31
SPL.F  #4, <-35
MUL.F  <-16, <20
JMP.X  {-24, <-10
END

;redcode
;name T4 91418
;author Galapagos
;assert CORESIZE == 80
ORG 0
MOV.I  {-4, $25
MOV.I  {-10, $-31
SPL.F  #38, <-21
SPL.X  #13, <20
DJN.F  >28, <-13
END

;redcode
;name T5 93275
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #23, >10
SPL.AB #30, <-25
MUL.I  <-33, {35
DJN.F  >-22, <19
END

;redcode
;name T2 46436
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.BA #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END

;redcode
;name T2 52524
;author Galapagos
;assert CORESIZE == 80
ORG 0
SPL.I  #-18, <-32
MOV.I  >21, <-33
MOV.I  >32, {-3
MOV.I  >22, {-3
MOV.I  >25, {-3
END
