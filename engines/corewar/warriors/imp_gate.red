;redcode
;name Imp-Gate
;author Galapagos
;strategy Waits. Imps that come by ten cells before it lose their way.
;strategy From Evolving Warriors by Linus Thorsell, section Introducing Redcode.
;assert CORESIZE > 20

gate    EQU     wait-10

wait    JMP     wait, <gate
        END     wait
