"""Known answers about noise: the staircase paper's formulas evaluated to many digits, and values derived from them."""

from __future__ import annotations

import math

#: epsilon: best gamma and least cost for |x|, Laplace cost over it; the same for x^2 (sensitivity 1).
STAIRCASE = {
    0.1: ((0.4875026035, 9.99583454829, 1.000416719), (0.4916666674, 199.916680561, 1.000416771)),
    1.0: ((0.3775406688, 0.959517375667, 1.042190611), (0.4167374349, 1.91810353124, 1.042696584)),
    2.0: ((0.2689414214, 0.42545906412, 1.175201194), (0.3351300297, 0.422732849047, 1.182780097)),
    5.0: ((0.07585818002, 0.0826418349275, 2.420081792), (0.1444821749, 0.0297110241364, 2.692603245)),
    10.0: ((0.006692850924, 0.00673825291529, 14.84064212), (0.02827077933, 8.47210176979e-4, 23.606893)),
}
#: At epsilon = ln 2: gamma and cost for |x| and for x^2, in closed form.
STAIRCASE_LN2 = ((math.sqrt(2) - 1, math.sqrt(2)), (3 ** (1 / 3) - 1, 2 + 9 ** (1 / 3)))
#: The best gamma for |x|^1, ..., |x|^4.
POWER_GAMMAS = {
    0.05: (0.49375033, 0.49583333, 0.49583366, 0.49583351),
    15.0: (0.00055278, 0.00534761, 0.01786077, 0.03761578),
}
#: At epsilon = 1: gamma and cost for |x|^3 and |x|^4.
POWERS_AT_1 = {3: (0.4191237027, 5.76065976661), 4: (0.4181053574, 23.0445420059)}

#: Discrete staircase at epsilon = 1: sensitivity: (least E|X|, best r).
DISCRETE = {1: (0.8509181282, 1), 2: (1.8634642318, 1), 3: (2.8608324896, 2), 5: (4.786284299, 2), 8: (7.6749182669, 4)}
DISCRETE_SQUARED_1 = 1.8413471884
#: At epsilon = 1, sensitivity 1000: least E|X| / 1000, near the continuous 0.9595...
DISCRETE_1000 = 0.9595172462

#: Sum of absolute errors: (dimension, epsilon): least cost; in two dimensions at epsilon = 1 the gamma is 0.66708356.
SEVERAL_DIMENSIONS = {
    (2, 1.0): 1.986153279,
    (2, 2.0): 0.9545581701,
    (2, 5.0): 0.2655108377,
    (2, 10.0): 0.04593704468,
    (3, 5.0): 0.4784641652,
}
PLANE_GAMMA_1 = 0.66708356

#: (epsilon, delta) = (1, 1e-3): half-width, E|X| and E X^2 of truncated Laplace noise.
TRUNCATED_LAPLACE = (6.75709622958, 0.992135054777, 1.93112591784)
#: E|X| of truncated Laplace noise at (0.1, 1e-5).
TRUNCATED_LAPLACE_SMALL = 9.98370690277
#: delta: standard deviation of the analytic Gaussian at epsilon = 1.
GAUSSIAN = {1e-3: 2.57465701864, 1e-6: 4.22467888933}
#: Least E|X| of integer noise of sensitivity 1 under (epsilon, delta).
INTEGER_APPROXIMATE = {(1.0, 1e-3): 0.842984043, (0.1, 0.01): 6.494796740, (0.0, 0.05): 5.0, (0.0, 0.04): 6.24, (0.0, 0.3): 0.8}
#: Discrete staircase at epsilon = ln 2: sensitivity: least E|X|.
DISCRETE_LN2 = {1: 4 / 3, 2: 14 / 5}
