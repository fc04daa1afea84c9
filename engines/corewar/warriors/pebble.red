;redcode
;name Pebble
;author Galapagos
;strategy A stone for small places: many processes throw DATs at every fourth cell.
;strategy The last falls on the SPL, when there are processes enough.
;assert CORESIZE % 4 == 0

step    EQU     (4*667)

pebble  SPL     pebble, <pebble-13
loop    MOV     bomb, @bomb
        ADD     #step, bomb
        JMP     loop, <pebble-13 ; against imps
bomb    DAT     #0, #step
        END     pebble
