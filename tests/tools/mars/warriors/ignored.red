;redcode
;name Ignored
;author Galapagos
;assert 1
;debug off
;break
;trace
mov 0, 1
