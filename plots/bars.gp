# SPDX-License-Identifier: GPL-3.0-or-later
# How many units of each GPU replace FROM: the simulated ratio with its 95 % interval, beside the ratios of bandwidth,
# compute and memory that a data sheet gives. A unit is a GPU, or a tensor-parallel group.
# GPU: names by series; NEED: the whole GPUs that the verified fleet has.

set key title heading("units that replace ".short(FROM, 40).": the unrounded ratio; below, the GPUs of the verified fleet") noenhanced
set rmargin 2
eval upward("Units [GPUs or tensor-parallel groups]")
set yrange [0:*]
set offsets 0, 0, graph 0.07, 0
set xrange [0.4:|GPU| + 0.6]
set xtics scale 0 noenhanced ("" 0)
if (|GPU| > 5) { set xtics rotate by 25 right } else { set bmargin 3.5 }
unset grid
set grid ytics linecolor rgb "#d0d0d0" linewidth 0.7
set style fill solid 1 border rgb "#404040"

WIDTH = 0.19
at(k) = column("series") + (k - 1.5) * WIDTH
top(x, high) = high > 0 ? high : x > 0 ? x : 0
label(x) = x == x ? sprintf("%.3g", x) : ""
tic(i) = short(GPU[i], 24).(|GPU| > 5 ? ", " : "\n").NEED[i]
set for [i = 1:|GPU|] xtics add (plain(tic(i)) i)
VALUE = |GPU| > 6 ? font(0.62) : SMALL
TURN = |GPU| > 4 ? 90 : 0
UP = |GPU| > 4 ? 1.3 : 0.7
array NAIVE[3] = ["bandwidth", "compute", "memory"]
array FILL[3] = [7, 6, 2]
array TONE[3] = ["#D55E00", "#E69F00", "#009E73"]

plot DATA using (at(0)):(column("ratio")):(WIDTH) \
		with boxes fillstyle solid 1 linecolor rgb COLOUR[1] title "simulated, 95 % interval", \
	for [k = 1:3] DATA using (at(k)):(top(column(NAIVE[k]), 0)):(WIDTH) \
		with boxes fillstyle pattern FILL[k] linecolor rgb TONE[k] title "by ".NAIVE[k], \
	DATA using (at(0)):(column("low")):(0):(column("high") - column("low")) \
		with vectors heads size graph 0.008,90 linewidth 2 linecolor rgb "black" notitle, \
	DATA using (at(0)):(top(column("ratio"), column("high"))):(label(column("ratio"))) \
		with labels offset 0, UP rotate by TURN font VALUE textcolor rgb COLOUR[1] notitle, \
	for [k = 1:3] DATA using (at(k)):(top(column(NAIVE[k]), 0)):(label(column(NAIVE[k]))) \
		with labels offset 0, UP rotate by TURN font VALUE textcolor rgb "#404040" notitle
