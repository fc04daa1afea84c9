;redcode
;name Dwarf
;author Galapagos
;strategy Throws a DAT at every fourth cell and never hits itself.
;assert CORESIZE % 4 == 0

step    EQU     4

loop    ADD     #step, bomb
        MOV     bomb, @bomb
        JMP     loop
bomb    DAT     #0, #0
        END     loop
