;redcode
;name Enters
;author Galapagos
;assert 1
;debug
mov 0, 2
mov 0, 2
