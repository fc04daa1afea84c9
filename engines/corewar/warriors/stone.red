;redcode
;name Stone
;author Galapagos
;strategy Many processes throw DATs in wide steps that come to every eighth cell.
;assert CORESIZE % 8 == 0

step    EQU     8*107

stone   SPL     stone
loop    MOV     bomb, @bomb
        ADD     #step, bomb
        JMP     loop
bomb    DAT     #0, #step
        END     stone
