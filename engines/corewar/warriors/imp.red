;redcode
;name Imp
;author Galapagos
;strategy Copies itself to the next cell and steps onto the copy, for ever.
;assert CORESIZE > 1

imp     MOV     imp, imp+1
        END     imp
