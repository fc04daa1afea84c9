;redcode-94
;name Dwarf
;author Galapagos
;strategy a bomb every fourth cell
;assert CORESIZE % 4 == 0
bomb    dat     #0, #0
start   add.ab  #4, bomb
        mov.i   bomb, @bomb
        jmp     start
        end     start
