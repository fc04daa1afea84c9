;redcode
;name Tribe 0, 44136
;author Galapagos
;assert CORESIZE == 8000
;strategy 72 won, 80 tied, 28 lost in its tribe, grade 164.44
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.X  <-7, >6
MOV.I  {2670, >-4
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SLT.B  *7, *-188
JMP.X  @89, <2725
MUL.F  <2878, #-3740
MOV.AB {1160, }-5
END

;redcode
;name Tribe 0, 44226
;author Galapagos
;assert CORESIZE == 8000
;strategy 40 won, 53 tied, 15 lost in its tribe, grade 160.19
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.BA <-7, >6
MOV.I  {2669, >-4
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SPL.I  *-6, $458
JMP.X  @89, <2725
MUL.F  <2878, #-3740
MOV.I  #1430, }-1573
END

;redcode
;name Tribe 0, 44173
;author Galapagos
;assert CORESIZE == 8000
;strategy 51 won, 75 tied, 18 lost in its tribe, grade 158.33
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.BA <-7, >6
MOV.I  {2669, >-4
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SLT.B  *7, *-185
JMP.X  @89, <2725
MUL.F  <2878, #-3740
MOV.AB {1160, }-5
END

;redcode
;name Tribe 0, 44225
;author Galapagos
;assert CORESIZE == 8000
;strategy 39 won, 52 tied, 17 lost in its tribe, grade 156.48
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.BA <-7, >6
MOV.I  {2669, >-4
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MOV.I  $-3338, *-3876
MUL.X  <3990, #-3740
SLT.B  *3, *-185
MUL.F  <2878, #-3740
MOV.AB {1160, }-5
END

;redcode
;name Tribe 0, 42929
;author Galapagos
;assert CORESIZE == 8000
;strategy 398 won, 491 tied, 191 lost in its tribe, grade 156.02
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.BA <-4, >6
MOV.I  {2670, >-4
MOV.I  #1430, }-7
SUB.X  $-6, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SLT.B  *5, *-185
JMP.X  @89, <2725
MUL.F  <3993, #-3740
MOV.AB {1160, }-5
END

;redcode
;name Tribe 0, 44123
;author Galapagos
;assert CORESIZE == 8000
;strategy 65 won, 84 tied, 31 lost in its tribe, grade 155.00
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.BA <-4, >6
MOV.I  {2670, >-4
SUB.X  $-6, *1
MUL.X  {643, @3191
DJN.I  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SLT.B  *5, *-185
JMP.X  @89, <2725
MUL.F  <3993, #-3740
SLT.X  @2694, *0
END

;redcode
;name Tribe 0, 44085
;author Galapagos
;assert CORESIZE == 8000
;strategy 75 won, 107 tied, 34 lost in its tribe, grade 153.70
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.X  <-7, >6
MOV.I  {2670, >-4
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SLT.B  *7, *-185
JMP.X  @89, <2725
MUL.F  <2878, #-3740
MOV.AB {1160, }-5
END

;redcode
;name Tribe 0, 43945
;author Galapagos
;assert CORESIZE == 8000
;strategy 112 won, 161 tied, 51 lost in its tribe, grade 153.40
ORG 0
MOV.I  #1430, }-1573
SPL.F  #787, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-19
JMP.BA <-2, *6
MOV.I  {2670, >-4
MOV.I  #1429, }-7
SUB.X  $-8, *1
MUL.X  {643, @3192
SLT.BA *2, <-3853
DJN.F  #1, *3826
MOV.F  {-1697, }-4
MUL.X  <3990, #-3740
SLT.B  *5, *-186
JMP.X  @91, }2727
DJN.F  *4, >-3
MUL.F  <-1931, $-3740
JMN.AB {1160, }-5
END

;redcode
;name Tribe 0, 44267
;author Galapagos
;assert CORESIZE == 8000
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.X  <-7, >6
MOV.I  {2670, >-4
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SLT.B  *7, *-188
JMP.X  @89, <2725
MUL.F  <2882, #-3740
MOV.AB {1160, }-5
END

;redcode
;name Tribe 0, 44268
;author Galapagos
;assert CORESIZE == 8000
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
SPL.I  }1300, $-21
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
MOV.I  >-5, }1
JMP.BA <-7, >6
MOV.I  {2669, >-4
SUB.X  $-9, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MOV.I  $-3338, *-3876
MUL.X  <3990, #-3740
SLT.B  *3, *-185
MUL.F  <2878, #-3740
MOV.AB {1160, }-5
END

;redcode
;name Tribe 0, 44269
;author Galapagos
;assert CORESIZE == 8000
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.BA <-7, >6
MOV.I  {2669, >-4
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3740
SPL.I  *-6, $458
JMP.X  @89, <2725
MUL.F  <2878, #-3740
MOV.I  #1434, }-1573
END

;redcode
;name Tribe 0, 44270
;author Galapagos
;assert CORESIZE == 8000
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
MOV.I  #1430, }-1573
SPL.F  #787, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-19
JMP.BA <-2, *6
MOV.I  {2670, >-6
MOV.I  #1429, }-7
SUB.X  $-8, *1
MUL.X  {643, @3192
JMP.BA <-2, *5
DJN.F  #1, *3826
MOV.F  {-1697, }-4
MUL.X  <3990, #-3740
SLT.B  *5, *-186
JMP.X  @91, }2727
DJN.F  *4, >-3
MUL.F  <-1931, $-3740
JMN.AB {1160, }-5
END

;redcode
;name Tribe 0, 44271
;author Galapagos
;assert CORESIZE == 8000
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
MOV.I  #1430, }-1573
SPL.F  #786, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3589, {-3416
SPL.I  }1300, $-21
JMP.BA <-7, >6
MOV.I  {2669, >-5
SUB.X  $-10, *1
MUL.X  {643, @3191
DJN.F  #1, *3826
MOV.F  {3726, $-2
MOV.F  {-1697, $-4
MUL.X  <3990, #-3737
SPL.I  *-6, $458
JMP.X  @89, <2725
MUL.F  <2878, #-3740
MOV.I  #1430, }-1573
END

;redcode
;name Tribe 0, 44272
;author Galapagos
;assert CORESIZE == 8000
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
MOV.I  #1430, }-1573
SPL.F  #787, >2
MOV.I  >-5, }1
SPL.AB }-585, >1
MOV.I  >-5, }1
JMP.A  <3588, {-3416
SPL.I  }1300, $-19
JMP.BA <-2, *6
MOV.I  {2670, >-4
MOV.I  #1429, }-6
SUB.X  $-8, *1
MUL.X  {643, @3192
SLT.BA *2, <-3853
DJN.F  #1, *3826
MOV.F  {-1697, }-4
MUL.X  <3990, #-3740
SLT.B  *5, *-186
JMP.X  @91, }2725
DJN.F  *4, >-3
MUL.F  <-1931, $-3740
JMN.AB {1160, }-5
END
