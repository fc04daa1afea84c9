;redcode
;name Clear
;author Galapagos
;strategy Fills the core with DATs from here upwards. When it comes round to its own pointer,
;strategy the bomb that falls on it sets it back to where it began.
;assert CORESIZE > 10

aim     DAT     #0, #last-aim+1
clear   SPL     #0, #0
loop    MOV.I   last, >aim
        JMP     loop
last    DAT     #0, #last-aim+1
        END     clear
