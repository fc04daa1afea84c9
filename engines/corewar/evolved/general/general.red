;redcode
;name Evolved general 26321
;author Galapagos
;assert CORESIZE == 8000
;strategy Bred from one random warrior by four runs: a paper of seven instructions that clears.
ORG 0
MOV.F  >-107, $-2335
SPL.X  #0, >2
MOV.I  >-6, }1
SPL.F  $-3107, >1923
SPL.B  #2860, }1
MOV.I  >2176, }1
DJN.X  #3823, {-20
END
