;redcode
;name Tribe 0, 54565
;author Galapagos
;assert CORESIZE == 800
;strategy 1349 won, 374 tied, 719 lost in its tribe, grade 181.04
ORG 0
SPL.BA #-264, {-264
MOV.I  }384, <-1
MOV.I  {0, {-222
SPL.B  #6, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  {268, $65
DJN.X  $336, <289
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *242, {-263
END

;redcode
;name Tribe 0, 54204
;author Galapagos
;assert CORESIZE == 800
;strategy 2074 won, 568 tied, 1120 lost in its tribe, grade 180.49
ORG 0
SPL.BA #-264, {-264
MOV.I  }384, <-1
MOV.I  {0, {-222
SPL.B  #44, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  {268, $65
DJN.X  $336, <289
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *242, {-263
END

;redcode
;name Tribe 0, 54277
;author Galapagos
;assert CORESIZE == 800
;strategy 1913 won, 532 tied, 1053 lost in its tribe, grade 179.27
ORG 0
SPL.BA #-264, {-264
MOV.I  }384, <-1
MOV.I  {0, {-222
SPL.B  #6, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  {268, $65
DJN.X  $336, <289
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *239, {-263
END

;redcode
;name Tribe 0, 54708
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.BA #-264, {-264
MOV.I  }384, <-1
MOV.I  {0, {-222
SPL.B  #6, {-8
MOV.I  >2, {-9
MOV.I  {268, $65
DJN.X  $336, <289
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *239, {-263
END

;redcode
;name Tribe 0, 54709
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.BA #-232, {-264
MOV.I  }384, <-1
MOV.I  {0, {-222
SPL.B  #44, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  {268, $65
DJN.X  $336, <292
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *242, {-263
END

;redcode
;name Tribe 0, 54710
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.BA #-264, {-264
MOV.I  }384, <-1
MOV.I  {0, {-222
SPL.B  #44, {-8
MOV.I  >2, {-9
JMZ.I  >2, >-1
MOV.I  }-8, }2
MOV.I  {268, $65
DJN.X  $339, <289
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *242, {-263
END

;redcode
;name Tribe 0, 54711
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.BA #-264, {-264
MOV.I  }384, <-1
MOV.I  {0, {-222
SPL.B  #6, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  }268, $65
DJN.X  $336, <289
DJN.F  $352, <289
MUL.I  >229, *-200
SPL.B  *239, {-263
END

;redcode
;name Tribe 0, 54712
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.BA #-264, {-264
MOV.I  {0, {-222
SPL.B  #6, >-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  }268, $65
DJN.X  $336, <289
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *242, {-263
END

;redcode
;name Tribe 0, 54713
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.B  #44, {-8
MOV.I  }384, <-1
MOV.I  {0, {-203
SPL.B  #44, {-8
DJN.F  {338, {-4
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  {268, $65
DJN.X  $336, <289
DJN.F  $352, <289
MUL.I  >225, *-200
SPL.B  *242, {-263
END
;redcode
;name Tribe 1, 52522
;author Galapagos
;assert CORESIZE == 800
;strategy 5406 won, 1626 tied, 2868 lost in its tribe, grade 180.24
ORG 0
SPL.I  #75, {-267
MOV.X  }276, <-1
MOV.I  >127, {-235
SPL.X  #10, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  }272, $63
DJN.F  $336, <289
MOV.I  }268, $60
MOV.I  }268, $66
MOV.I  >3, {131
ADD.X  >-227, >-164
SNE.F  }1, *88
DAT.B  $-277, }138
ADD.X  >-224, @-164
DAT.I  $4, @-6
JMZ.F  }2, }88
MOV.B  >228, {17
END

;redcode
;name Tribe 1, 53690
;author Galapagos
;assert CORESIZE == 800
;strategy 3090 won, 932 tied, 1654 lost in its tribe, grade 179.74
ORG 0
SPL.I  #75, {-267
MOV.X  }276, <-1
MOV.I  >127, {-235
SPL.X  #0, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  }272, $63
DJN.F  $336, <289
MOV.I  }268, $60
MOV.I  }268, $66
MOV.I  >3, *131
ADD.X  >-227, >-164
SNE.F  }1, *88
DAT.B  $-277, }138
ADD.X  >-224, @-164
DAT.I  $4, @-6
JMZ.F  }2, }88
MOV.B  >228, {17
END

;redcode
;name Tribe 1, 54390
;author Galapagos
;assert CORESIZE == 800
;strategy 1680 won, 508 tied, 914 lost in its tribe, grade 178.85
ORG 0
SPL.I  #75, {-267
MOV.X  }276, <-1
MOV.I  >127, {-235
SPL.X  #10, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  }272, $63
DJN.F  $336, <289
MOV.I  }268, $144
MOV.I  }268, $62
MOV.I  >3, {131
SNE.F  }1, *88
DAT.B  $-277, }138
ADD.X  >-224, @-164
DAT.I  $4, @-6
JMZ.F  }2, }88
MOV.B  >228, {17
END

;redcode
;name Tribe 1, 54714
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.I  #75, {-267
MOV.X  }276, <-1
MOV.I  >127, {-235
SPL.X  #0, {-8
MOV.I  >2, {-9
MOV.I  }-8, }2
MOV.I  }272, $63
DJN.F  $336, <289
MOV.I  }268, $60
MOV.I  }268, $66
MOV.I  >3, *131
ADD.X  >-227, >-164
SNE.F  }1, *88
DAT.B  $-277, }138
ADD.X  >-224, @-164
DAT.I  $4, @-6
JMZ.F  }2, }88
DAT.I  $4, @-6
END

;redcode
;name Tribe 1, 54715
;author Galapagos
;assert CORESIZE == 800
;strategy 0 won, 0 tied, 0 lost in its tribe
ORG 0
SPL.I  #75, {-267
MOV.X  }276, <-1
MOV.I  >127, {-235
SPL.X  #0, {-8
MOV.I  >2, {-9
MOV.I  *-8, }2
MOV.I  }272, $63
DJN.F  $336, <289
MOV.I  }268, $60
MOV.I  }268, $66
MOV.I  >3, *131
ADD.X  >-227, >-164
SNE.F  }1, *88
ADD.X  >-224, @-164
DAT.I  $4, @-6
JMZ.F  }2, }88
MOV.B  >228, {17
END
