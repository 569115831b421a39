# SPDX-License-Identifier: GPL-3.0-or-later
# Cost per 1,000 requests against load, for every GPU with the fewest whole units that hold the load. A point is a
# simulated rate; between two the cost of a fleet goes with 1/rate, and where the next rate needs more GPUs they are
# drawn from the last rate that fewer were seen to hold. Dashed: no number of GPUs was found that holds the load.
# GPU: names by series; LIMIT: the capacity of what is replaced; LOST: 1 if a line is dashed; MISSING: names without a line.

set key title heading("the fewest GPUs that hold the load, their number at the line".(LOST ? "; dashed: none is found that holds" : "").\
	(MISSING eq "" ? "" : "\nno line, for want of a price or of a number that holds: ".short(MISSING, 50))) noenhanced
set xlabel "Offered load [requests/s]"
eval upward("Cost [US$ per 1,000 requests]")
set logscale y
set yrange [*:*] noextend
set offsets graph 0, 0, graph 0.06, graph 0.04
eval TICS_125
set xrange [0:*]
if (LIMIT > 0) { set xrange [0:LIMIT * 1.02] }

mine(i) = column("series") == i
held(i) = mine(i) && strcol("holds") eq "true"
lost(i) = mine(i) && strcol("holds") ne "true"
seen(i) = held(i) && strcol("simulated") eq "true"
load(ok) = ok ? column("rate_rps") : NaN
cost = "usd_per_1k_requests"
# Where the number of GPUs changes.
before = ""
new(i, n) = (was = before, before = sprintf("%d %d", i, n), was ne before)

plot for [i = 1:|GPU|] DATA using (load(lost(i))):(column(cost)) \
		with lines linetype i dashtype 2 linewidth 1.2 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] DATA using (load(held(i))):(column(cost)) \
		with lines linetype i dashtype dash(i) linewidth 2.5 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] DATA using (load(seen(i))):(column(cost)) \
		with points pointsize 0.9 pointtype SHAPE[turn(i)] linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] DATA using (load(held(i) && new(i, column("gpus")))):(column(cost)):(sprintf("%d", column("gpus"))) \
		with labels boxed offset 0, 0.9 font SMALL textcolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] keyentry with linespoints linetype i dashtype dash(i) linewidth 2.5 pointtype SHAPE[turn(i)] \
		linecolor rgb COLOUR[turn(i)] title GPU[i]
