;redcode
;name Breaks
;author Galapagos
;assert 1
nop 0
;break
mov 0, 3
jmp -2
