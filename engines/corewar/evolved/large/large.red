;redcode
;name Evolved large 8501
;author Galapagos
;assert CORESIZE == 8000
;strategy Bred from random instructions by a chain of runs; splitters that clear the core, several of them.
ORG 0
SPL.B  $91, $0
SPL.B  }30, $0
SPL.B  $18, $0
SPL.A  #3400, >-3102
MOV.I  $3, }-3
MOV.I  {-3, }-4
DJN.B  $-2, {-1508
SLT.BA $397, }535
MOV.A  >123, *-1649
SPL.A  #-3807, {-3102
JMN.BA >9, #1623
MOV.I  $6, }-2
SLT.BA $397, }535
MOV.A  >123, *-1649
SPL.AB #-2, #3970
SPL.AB }2523, {6
SEQ.I  #-421, >-5
MUL.I  @-3, $-3629
SPL.X  {2172, @7
NOP.AB {121, #932
SPL.A  #3392, >-3102
MOV.I  $3, }-3
MOV.I  {2437, }-4
DJN.F  $-2, {-1509
SNE.BA *394, }1
SPL.A  #3392, >-3102
DJN.F  $-2, {-1509
SNE.BA *394, }1
SPL.A  #3392, >-3102
MOV.I  $3, }-3
JMZ.I  <3, <-3955
DJN.F  $-2, {-1509
SNE.BA *394, }1
SPL.A  #3392, >-3102
MOV.F  {2252, #-1368
DJN.AB @6, {-858
SLT.BA $397, }535
SPL.A  #-3807, {-3102
JMN.BA >9, #1623
MOV.I  $6, }-2
SLT.BA $401, }535
MOV.A  >123, *-1649
SPL.AB #-2, #3970
SPL.X  >4, {3128
SPL.X  >4, {3128
MOV.I  {2254, #-1368
MOV.F  {601, *-3759
JMN.BA >25, #1623
DJN.AB @6, {-858
SPL.A  #3392, >-3102
SPL.A  #-2, {-2145
JMN.BA >9, #1623
MOV.I  $6, }-2
SUB.X  >-7, #8
MOV.A  >123, *-1649
SPL.AB #-2, #3970
SEQ.I  #-421, >-1946
SEQ.I  #-421, >-5
MUL.I  $-3, $-4
SPL.X  {2175, @7
NOP.AB {117, #932
SPL.A  #3392, >-3102
MOV.I  $3, }-3
SPL.A  #-3807, {-3102
JMN.BA >9, #1623
MOV.I  {2437, }-4
DJN.F  $-2, {-1509
END
