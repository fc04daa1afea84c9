;redcode
;name Stone
;author Galapagos
;strategy Many processes throw DATs at every fifth cell, on the way at their own SPL, which has done its
;strategy work then. The last DAT falls on the step itself and makes it 1: from then on they fill the core.
;strategy What they throw at the pointer sends it past their own code.
;assert CORESIZE % 5 == 0 && CORESIZE > 100

step    EQU     (5*467)

aim     DAT     #last-aim+step, #0
stone   SPL     #0, <stone-13   ; against imps
loop    MOV.I   bomb, *aim
        ADD.BA  last, aim
        JMP     loop
bomb    DAT     #last-aim+1, #1
last    DAT     #0, #step
        END     stone
