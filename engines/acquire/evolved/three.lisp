(define place
  (+
    (+ (- (my-worth) (best-opp-worth)) (- (perimeter (survivor)) (best-opp-cash)))
    (* 5 (my-found-tiles))))

(define buy
  (+
    (+ (- (my-worth) (best-opp-worth)) (* 0.1 (left (bought))))
    (if (or (< 3 (lead (bought))) (< (lead (bought)) -3)) -3 -1.09)))

(define found
  (+ 0.304 (start-price (founded))))

(define survivor
  (- (cash) (best-opp-cash)))

(define end
  (not (not (i-lead))))

(define dispose
  (+ (- (my-worth) (best-opp-worth)) (* 3 (held (defunct)))))
