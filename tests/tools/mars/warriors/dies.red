;name Dies
;author Galapagos
;assert ROUNDS < 100
        dat     0, 0
