;redcode
;name Paper
;author Galapagos
;strategy Four processes, one for each cell, copy them to two places at a time and go on there.
;assert CORESIZE > 100

near    EQU     (CORESIZE*3/8+17)
far     EQU     (CORESIZE*5/7+5)
cells   EQU     (last-first+1)

start   SPL     1
        SPL     1
first   SPL     @first, near
        MOV.I   }first, >first
        MOV.I   {first, <last
last    JMP     @last, far+cells
        END     start
