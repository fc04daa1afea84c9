(define place
  (+
    (+ (- (my-worth) (max-over (+ (cash) (chains-on-board)))) (- (cash) (best-opp-cash)))
    (* 5 (my-found-tiles))))

(define buy
  (+
    (+ (- (my-worth) (best-opp-worth)) (* 0.1 (left (bought))))
    (if (or (< 3 (lead (bought))) (< (lead (bought)) -3)) -3 0)))

(define found
  (- 0.304 (start-price (kth 0))))

(define survivor
  (- (cash) (* (left (second-largest)) (size (defunct)))))

(define end
  (< (max 1 3) (held (largest))))

(define dispose
  (+
    (- (my-worth) (left (if-chain (max-size (smallest)) (kth (best-opp-worth)) (smallest))))
    (sum (my-merge-tiles (best 1)))))
