# SPDX-License-Identifier: GPL-3.0-or-later
# Latency against the load, or another parameter: a panel for each limit of the SLO (p99 of TTFT and TPOT where there is none). Solid: the
# limited statistic; thin: the median. A cross: the first load at which the GPU is overloaded and the queue grows as long as
# the load lasts, at the upper edge if it is above ten times the limit; latencies beyond it say how long the run was.
# SERIES: names; AXIS: label of x, LOAD: 1 if it is a load; by panel: LABEL of y, LIMIT [ms], WHAT the limit says.

PANELS = |LABEL|
ACROSS = PANELS < 2 ? 1 : PANELS < 5 ? 2 : 3
DOWN = (PANELS - 1) / ACROSS + 1
longest = 0
do for [i = 1:|SERIES|] { if (strlen(SERIES[i]) > longest) { longest = strlen(SERIES[i]) } }
IN_A_ROW = int(PLAIN ? COLUMNS / (longest + 9.0) : WIDE * 0.95 / (9 * longest + 90)) # names, in the legend
if (IN_A_ROW < 1) { IN_A_ROW = 1 }
ROWS = (|SERIES| - 1) / IN_A_ROW + 1
LINE = (ending eq "svg" ? 24.0 : 20.0) / HIGH # of text, as a part of the height
LEFT = 120.0 / WIDE # of a panel: numbers and label
TOP = PLAIN ? 1 - (4.0 + ROWS) / LINES : 1 - LINE * (4 + 1.2 * ROWS)

if (PLAIN) {
	set multiplot layout DOWN, ACROSS margins screen 10.0 / COLUMNS, 0.98, 4.0 / LINES, TOP spacing screen 12.0 / COLUMNS, 4.0 / LINES
} else {
	set multiplot layout DOWN, ACROSS margins screen LEFT, 1 - 20.0 / WIDE, 3.5 * LINE, TOP spacing screen LEFT + 20.0 / WIDE, 5.5 * LINE
}
set key at screen 0.5, screen 0.995 center top vertical maxrows ROWS \
	title heading(STATISTIC." solid, median thin; a cross is overloaded: the queue grows without bound") noenhanced
set logscale y
eval TICS_125
# Loads whose first step is far below an even one are spaced by a ratio: their axis is too.
first = NaN; second = NaN; last = NaN; different = 0
stats DATA using (column("panel") != 1 || column("series") != 1 ? 0 : (xx = column("x"), different = different + 1, \
	second = xx > first && (second != second || xx < second) ? xx : second, first = first != first ? xx : first, last = xx, 0)) nooutput
if (LOAD && first > 0 && different > 3 && second - first < 0.5 * (last - first) / (different - 1)) {
	set logscale x
	set xrange [first * 0.85:last * 1.15]
	set xtics ("" 1e-9)
	set for [e = -4:6] for [m in "1 2 5"] xtics add (group(m * 10.0**e) m * 10.0**e)
} else {
	if (LOAD) { set xrange [0:*] }
}
set offsets 0, graph 0.04, 0, 0
set xlabel AXIS noenhanced

on(panel, i) = column("panel") == panel && column("series") == i && column("overloaded") < 2
over(panel, i) = on(panel, i) && column("overloaded") == 1
place(ok) = ok ? column("x") : NaN
less(a, b) = b == b && !(b >= a) ? b : a # NaN never wins
more(a, b) = b == b && !(b <= a) ? b : a
array LOW[PANELS]
array EDGE[PANELS]
array HIGHEST[PANELS]
do for [p = 1:PANELS] {
	low = NaN
	highest = NaN
	calm = NaN # the highest that is not overloaded
	stats DATA using (column("panel") != p || column("overloaded") > 1 ? 0 : ( \
		low = less(low, less(column("p50_ms"), column("value_ms"))), highest = more(highest, column("value_ms")), \
		calm = column("overloaded") > 0 ? calm : more(calm, column("value_ms")), 0)) nooutput
	LOW[p] = less(low, LIMIT[p]) * 0.8
	HIGHEST[p] = highest
	EDGE[p] = more(LIMIT[p] * 1.5, less(highest, 10 * (LIMIT[p] == LIMIT[p] ? LIMIT[p] : more(low, calm))))
}
edged(p, y) = y > EDGE[p] ? EDGE[p] : y
cut(p) = HIGHEST[p] > EDGE[p] ? sprintf("%sat the upper edge: up to %s s", WHAT[p] eq "" ? "" : "; ", group(floor(HIGHEST[p] / 1e3 + 0.5))) : ""

do for [p = 1:PANELS] {
	set ylabel LABEL[p] noenhanced
	set title (PLAIN ? LABEL[p].", " : WHAT[p] eq "" ? "" : "dash-dotted: the ").WHAT[p].cut(p) noenhanced font SMALL offset 0, (PLAIN ? 0 : -0.6)
	if (p == 2) { unset key }
	unset arrow
	if (LIMIT[p] == LIMIT[p]) {
		set arrow from graph 0, first LIMIT[p] to graph 1, first LIMIT[p] nohead dashtype 4 linewidth 2 linecolor rgb "black"
	}
	set yrange [LOW[p]:EDGE[p] * 1.25]
	plot for [i = 1:|SERIES|] DATA using (place(on(p, i))):(edged(p, column("p50_ms"))) \
			with lines dashtype dash(i) linewidth 1 linecolor rgb COLOUR[turn(i)] notitle, \
		for [i = 1:|SERIES|] DATA using (place(on(p, i))):(edged(p, column("value_ms"))) \
			with linespoints dashtype dash(i) linewidth 2.5 pointsize 0.8 pointtype SHAPE[turn(i)] \
			linecolor rgb COLOUR[turn(i)] title SERIES[i], \
		for [i = 1:|SERIES|] DATA using (place(over(p, i))):(edged(p, column("value_ms"))) \
			with points pointsize 1.6 pointtype 2 linewidth 2 linecolor rgb COLOUR[turn(i)] notitle
}
unset multiplot
