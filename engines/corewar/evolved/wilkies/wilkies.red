;redcode
;name Evolved wilkies 16885
;author Galapagos
;assert CORESIZE == 8000
;strategy Bred from one random warrior by five runs: a paper of ten instructions that clears.
ORG 0
MOV.I  >-362, {-881
SPL.I  #-1915, >2
MOV.I  }-6, }1
SPL.A  }-3103, >1884
MOV.I  #1331, >1613
MOV.I  }-7, }1
DJN.BA {-3819, {-2097
MOV.I  >3543, {2477
MOV.I  }-6, #1
DIV.X  >-2405, <-876
END
