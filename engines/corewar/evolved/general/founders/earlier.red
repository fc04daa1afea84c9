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
