;redcode
;name Evolved tiny 64064
;author Galapagos
;assert CORESIZE == 800
;strategy Bred from one random warrior by six runs: splitters, movers that copy them, and a DJN.
ORG 0
SPL.F  #274, }-268
MOV.I  }1, <-1
MOV.I  >-330, {-139
SPL.I  #35, {-8
MOV.I  >2, {-9
MOV.I  >-8, }2
MOV.I  @265, $69
DJN.F  $333, <290
MOV.I  >-236, >189
MOV.I  *133, <228
MUL.X  }129, >-165
MUL.X  }129, >-162
MOV.I  }-49, $73
SPL.I  #257, {-277
MOV.I  }370, }4
MOV.BA >275, >120
MOV.I  *133, {228
MOV.I  @5, }1
MOV.I  $-329, <-51
MOV.I  >3, <189
END
