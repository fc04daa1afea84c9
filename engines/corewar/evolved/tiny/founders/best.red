;redcode
;name T0 23895
;author Galapagos
;assert CORESIZE == 800
ORG 0
SPL.I  #314, {-267
MOV.I  }391, <-1
MOV.I  >-329, {-228
SPL.F  #43, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  {269, $65
DJN.F  $335, <290
MUL.I  >-329, @-224
END
