"""Networks with one hidden layer on points of a disc or an annulus, on a noisy sine and on images."""
