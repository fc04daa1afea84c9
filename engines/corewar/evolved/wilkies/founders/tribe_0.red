;redcode
;name T0 26321
;author Galapagos
;assert CORESIZE == 8000
ORG 0
MOV.F  >-107, $-2335
SPL.X  #0, >2
MOV.I  >-6, }1
SPL.F  $-3107, >1923
SPL.B  #2860, }1
MOV.I  >2176, }1
DJN.X  #3823, {-20
END
;redcode
;name Evolved general 43582
;author Galapagos
;assert CORESIZE == 8000
;strategy Bred from one random warrior by two runs: a paper of seven instructions that clears.
ORG 0
SUB.F  >2665, }0
SPL.I  #-1917, >2
MOV.I  >-6, }1
SPL.A  }-3098, >1884
MOV.I  >-354, {-874
MOV.I  }-7, }1
DJN.X  <3585, {-23
END
