(define place
  (max (+ (max-over (my-worth)) (merge-squares (founded))) (held (founded))))

(define buy
  (+ (+ (my-worth) (+ (my-worth) (left (bought)))) (size (best (left (it))))))

(define found
  (merge-squares (best (my-worth))))

(define survivor
  (my-merge-tiles (survivor)))

(define end
  (on-board (smallest)))

(define dispose
  (* (opp-best (second-largest)) (my-worth)))
