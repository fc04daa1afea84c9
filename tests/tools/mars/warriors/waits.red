;redcode
;name Waits
;author Jörg
;assert 1
        jmp     0
