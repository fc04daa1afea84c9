;name Counts
;author Galapagos
;assert PSPACESIZE > 3
; dies in every third round
        pin     7
        ldp.ab  #1, times
        add.ab  #1, times
        mod.ab  #3, times
        stp.b   times, #1
        jmz     times, times
        jmp     0
times   dat     0, 0
