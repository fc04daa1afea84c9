;redcode
;name Scanner
;author Galapagos
;strategy Compares cells until two differ, then clears the core from there upwards: first with SPLs, which
;strategy stun what they hit, then with DATs. Whatever falls on its pointer says what to throw next, and where.
;assert CORESIZE > 100

gap     EQU     12
far     EQU     40

aim     DAT     #stun-aim, #0
scan    ADD.F   next, look
look    SNE.I   far+gap, far
        JMP     scan
        MOV.B   look, aim       ; seen from here that is two cells before what was found
        SPL     #0, #0
loop    MOV.I   *aim, >aim
        JMP     loop
next    DAT     #2*gap, #2*gap
stun    SPL     #kill-aim, #kill-aim+1
kill    DAT     #kill-aim, #kill-aim+1
        END     scan
