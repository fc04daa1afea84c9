; Written by hand, after measurements of one decision at a time against the heuristic: money in hand counts beside
; what the table would pay if the game ended now; tiles that found are kept for later; a share is bought where it
; leads or ties, neither where the lead is safe nor where it is out of reach.

(define place
  (+ (+ (- (my-worth) (best-opp-worth)) (- (cash) (best-opp-cash))) (* 5 (my-found-tiles))))

(define buy
  (+ (+ (- (my-worth) (best-opp-worth)) (* 0.1 (left (bought))))
     (if (or (< 3 (lead (bought))) (< (lead (bought)) -3)) -3 0)))

(define found
  (- 0 (start-price (founded))))

(define survivor
  (- (cash) (best-opp-cash)))

(define end
  (i-lead))

(define dispose
  (+ (- (my-worth) (best-opp-worth)) (* 3 (held (defunct)))))
