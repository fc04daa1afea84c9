;redcode
;name Static
;author Galapagos
;assert 1
;debug static
;break
mov 0, 1
