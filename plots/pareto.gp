# SPDX-License-Identifier: GPL-3.0-or-later
# Output tokens/s of a GPU against latency as the load grows: up is more work done, left is a shorter wait. At the last
# point that holds the SLO stands its load. A cross: the first load at which the GPU is overloaded, at the right edge if its
# latency is above three times the limit.
# SERIES: names; LATENCY: label of the axis; LIMIT [ms], NaN without one; UNIT of the numbers.

set xlabel LATENCY noenhanced
eval upward("Output of a GPU [tokens/s]")
set yrange [0:*]
set xrange [0:*] noextend
set offsets 0, graph 0.08, graph 0.08, 0

on(i) = column("series") == i && column("overloaded") < 2
over(i) = on(i) && column("overloaded") == 1
holds(i) = on(i) && strcol("verdict") eq "ok"
tokens = "output_tokens_per_s_per_gpu"
less(a, b) = b == b && !(b >= a) ? b : a # NaN never wins
more(a, b) = b == b && !(b <= a) ? b : a
calm = NaN # the highest latency that is not overloaded
array BEST[|SERIES|]
do for [i = 1:|SERIES|] {
	BEST[i] = -1
	stats DATA using (calm = column("overloaded") > 0 ? calm : more(calm, column("latency_ms")), \
		best = holds(i) && column("load") > BEST[i] ? column("load") : BEST[i], BEST[i] = best, 0) nooutput
}
held = "" # series with such a point: a plot of labels without one ends gnuplot 5.4
do for [i = 1:|SERIES|] { if (BEST[i] >= 0) { held = held.sprintf(" %d", i) } }
best(i) = holds(i) && column("load") == BEST[i]
EDGE = 3 * (LIMIT == LIMIT ? LIMIT : calm)
highest = NaN
stats DATA using (highest = more(highest, column("latency_ms")), 0) nooutput
cut = highest > EDGE ? sprintf("; at the right edge: up to %s ms", group(floor(highest + 0.5))) : ""
set key title heading("the number is the highest load seen to hold ".UNIT."; a cross is overloaded".cut) noenhanced
set ytics ("" -1)
most = 0
stats DATA using (most = more(most, column(tokens)), 0) nooutput
step = 10.0**floor(log10(most / 4.0)); step = most / step > 25 ? 5 * step : most / step > 10 ? 2 * step : step
set for [k = 0:30] ytics add (group(k * step) k * step)
x(ok) = !ok ? NaN : column("latency_ms") > EDGE ? EDGE : column("latency_ms")
if (LIMIT == LIMIT) {
	set arrow from first LIMIT, graph 0 to first LIMIT, graph 1 nohead dashtype 4 linewidth 2 linecolor rgb "black"
	set label sprintf("limit %g ms ", LIMIT) at first LIMIT, graph 0.97 right font SMALL textcolor rgb "black"
}

plot for [i = 1:|SERIES|] DATA using (x(on(i))):(column(tokens)) \
		with linespoints dashtype dash(i) linewidth 2.5 pointsize 0.8 pointtype SHAPE[turn(i)] \
		linecolor rgb COLOUR[turn(i)] title SERIES[i], \
	for [i = 1:|SERIES|] DATA using (x(over(i))):(column(tokens)) \
		with points pointsize 1.6 pointtype 2 linewidth 2 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i in held] DATA using (x(best(i + 0))):(column(tokens)):(sprintf("%.3g", column("load"))) \
		with labels boxed offset 0, 0.9 font SMALL textcolor rgb COLOUR[turn(i + 0)] notitle
