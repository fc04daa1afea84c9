;redcode
;name Scanner
;author Galapagos
;strategy Compares cells until two differ, then clears the core from there upwards.
;assert CORESIZE > 100

gap     EQU     12
far     EQU     40

aim     DAT     #0, #0
scan    ADD.F   next, look
look    SNE.I   far+gap, far
        JMP     scan
        MOV.B   look, aim       ; seen from here that is two cells before what was found
        SPL     #0, #0
loop    MOV.I   bomb, >aim
        JMP     loop
next    DAT     #2*gap, #2*gap
bomb    DAT     #0, #bomb-aim+1
        END     scan
