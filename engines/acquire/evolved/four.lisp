(define place
  (+ (+ (- (my-worth) (best-opp-worth)) (- (cash) (best-opp-cash))) 6.95))

(define buy
  (+
    (+ (- (perimeter (second-largest)) (best-opp-worth)) (* 0.1 (left (bought))))
    (if (or (< 3 (lead (bought))) (< (lead (bought)) -3)) -3 3)))

(define found
  (- 0 (start-price (if-chain (majority (second-largest)) (kth 3) (best 1)))))

(define survivor
  (- (lead (second-largest)) (best-opp-cash)))

(define end
  (can-end))

(define dispose
  (+ (- (my-worth) (best-opp-worth)) (* 4.19 (held (second-largest)))))
