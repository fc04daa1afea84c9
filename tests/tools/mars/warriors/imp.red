;redcode-94
;name Imp
;author Galapagos
;assert 1
        mov.i   0, 1
