;redcode
;name Evolved tiny 47354
;author Galapagos
;assert CORESIZE == 800
;strategy Bred from one random warrior of nine instructions: two endless splitters, movers and a DJN.
ORG 0
SPL.I  #320, {-267
MOV.I  }393, <-1
MOV.I  >-58, {-228
SPL.X  #43, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  }268, $68
DJN.F  $335, <289
MOV.I  >-156, #286
JMP.B  >-215, *1
END
