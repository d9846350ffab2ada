"""Networks with one hidden layer that learn to add two numbers from points of a disc or an annulus."""
