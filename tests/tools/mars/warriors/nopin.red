;name Zero
;author Galapagos
;assert 1
        pin     0
        stp.ab  #5, #1
        jmp     0
