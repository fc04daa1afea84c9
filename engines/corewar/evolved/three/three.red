;redcode
;name Evolved three 1583
;author Galapagos
;assert CORESIZE == 8000
;strategy Plays a paper, a stone or a scanner, and changes to the next of them after losses.
ORG 11
DAT.F  #9, #0
ADD.F  $7, $1
SNE.I  $124, }112
JMP.B  $-2, $0
MOV.B  $-2, $-4
SPL.B  #2, #0
MOV.I  *-6, >-6
JMP.B  $-1, $0
LDP.F  #24, #24
SPL.B  #10, #11
DAT.F  #0, #11
LDP.AB #1, $16
LDP.AB #0, $1
JMN.B  $4, #0
ADD.AB #20, $13
MOD.AB #9, $12
JMP.B  $5, $0
SEQ.AB #1, $-4
JMP.B  $4, $0
DIV.AB #3, $8
MUL.AB #3, $7
STP.B  $6, #1
SLT.AB #2, $5
JMP.B  $5, $0
SLT.AB #5, $3
JMP.B  $9, $0
JMP.B  $-25, $1380
DAT.F  $0, $0
SPL.B  $1, $0
SPL.B  $1, $0
SPL.B  @0, $-1579
MOV.I  }-1, >-1
MOV.I  {-2, <1
JMP.B  @0, $-2277
MUL.I  $-2208, <-3921
MOV.I  {4, <4
DJN.B  $-1, #7
NOP.F  >2, #0
JMP.B  @1, $0
DAT.F  $8, $3707
DAT.F  #2341, #0
SPL.B  #0, <-13
MOV.I  $3, *-2
ADD.BA $3, $-3
JMP.B  $-2, $0
DAT.F  #-1586, #1
DAT.F  #-33, #2335
END
