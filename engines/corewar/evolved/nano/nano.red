;redcode
;name Evolved nano 31837
;author Galapagos
;assert CORESIZE == 80
;strategy Bred from one random warrior by three runs, 171,000 offspring: a splitter, and four movers that clear the core.
ORG 0
SPL.F  #-17, >-12
MOV.I  >19, <-33
MOV.I  <-34, {-3
MOV.I  >20, {-3
MOV.I  <27, {-3
END
