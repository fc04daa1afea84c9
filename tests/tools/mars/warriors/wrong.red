;name Wrong
;assert 1
        mov     nowhere, 1
        frob    2
