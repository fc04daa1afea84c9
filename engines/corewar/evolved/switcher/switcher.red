;redcode
;name Evolved switcher 1277
;author Galapagos
;assert CORESIZE == 8000
;strategy Bred phrases about P-space before Stone and Paper: plays Paper, but Stone after a lost round.
ORG 0
STP.AB #1, #1
LDP.AB #0, #0
JMZ.B  $14, $-1
LDP.AB #0, #5
SEQ.AB {2, $-1
JMP.B  $4, $0
STP.AB #-1, #0
LDP.AB #3, #0
ADD.AB #4, *-1
STP.B  $-2, #3
ADD.AB #3, $3
STP.B  $-2, #1
SPL.B  $1, $4
LDP.AB #6, #0
SPL.B  $1, $0
JMP.X  $9, $0
JMP.B  $2, $0
DAT.F  #2341, #0
SPL.B  #0, <-13
MOV.I  $3, *-2
ADD.BA $3, $-3
JMP.B  $-2, $0
DAT.F  #7, #1
DAT.F  #0, #2335
SPL.B  $1, $0
SPL.B  $1, $0
SPL.B  @0, $3017
MOV.I  }-1, >-1
MOV.I  {-2, <1
JMP.B  @0, $-2277
END
