;name Splits
;author Galapagos
;assert WARRIORS < 5
        spl     0, <-10
        mov     -1, {-20
        for     2
        djn     -2, >5
        rof
