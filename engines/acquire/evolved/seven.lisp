(define place
  (if (i-lead) (my-worth) (max-over (my-worth))))

(define buy
  (max (my-worth) (held (bought))))

(define found
  (price (if-chain (i-lead) (smallest) (second-largest))))

(define survivor
  (min (max (cash) (best-opp-cash)) (max-over (cash))))

(define end
  (< (* (max-over (max-over 2)) (max (merge-squares (smallest)) (lead (smallest)))) (my-worth)))

(define dispose
  (max-over (max-over (my-worth))))
