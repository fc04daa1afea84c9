(define place
  (+ (my-worth) (my-found-tiles)))

(define buy
  (left (bought)))

(define found
  (price (founded)))

(define survivor
  (min (my-merge-tiles (kth 0.6300851364498392)) -2.83353921310505))

(define end
  (on-board (best 1)))

(define dispose
  (my-worth))
