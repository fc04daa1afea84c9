;redcode
;name Evolved nano 74870
;author Galapagos
;assert CORESIZE == 80
;strategy Bred from random instructions in 75,000 offspring: a splitter, three movers and a DJN that clears.
ORG 0
SPL.X  #-3, >-33
MOV.I  >22, {-1
MOV.I  }18, {35
MOV.I  >23, {-1
DJN.F  #-28, <-17
END
