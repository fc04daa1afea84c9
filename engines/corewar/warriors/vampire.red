;redcode
;name Vampire
;author Galapagos
;strategy Throws jumps into a pit, where the processes of others clear the core for it,
;strategy come round to the pit last, and die there.
;assert CORESIZE % 8 == 0

step    EQU     (8*107)

pit     SPL     pit
        MOV.I   tomb, >tomb
        JMP     pit+1
tomb    DAT     #0, #move-tomb+1
loop    MOV.I   fang, @fang
        ADD.F   move, fang
        JMP     loop
fang    JMP     pit-step, step
move    DAT     #-step, #step
        END     loop
