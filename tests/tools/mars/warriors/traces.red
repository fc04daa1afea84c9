;redcode
;name Traces
;author Galapagos
;assert 1
jmp 1
;trace
nop 0
add #1, 1
;trace off
jmp -3
;trace to the end
dat 0
