;name Reads
;author Galapagos
;assert 1
        ldp.ab  #1, last
        jmn     0, last
last    dat     0, 0
