;redcode
;name Evolved nano 33896
;author Galapagos
;assert CORESIZE == 80
;strategy Bred from one random warrior by four runs: a splitter, and four movers that clear the core.
ORG 0
SPL.AB #-16, >-12
MOV.I  >20, <-33
MOV.I  <-34, {-2
MOV.I  >21, {-4
MOV.I  <27, {-3
END
