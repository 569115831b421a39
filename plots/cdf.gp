# SPDX-License-Identifier: GPL-3.0-or-later
# The distribution of each latency over the requests (ITL: over the gaps between tokens): the share that is no slower
# than the value below. The vertical scale is that of a normal distribution, so that medians and tails can both be read.
# A limit of the SLO is a dashed line with a diamond at its percentile: a GPU keeps it if its line crosses the dashed one
# above the diamond. Requests that did not wait at all are below the lower end of a line of the queue wait. Waits of an
# overloaded GPU (dotted) have no end: they are drawn as far as the others reach.
# GPU: names by series; METRIC: those with a line, in ROWS, LOW_x and HIGH_x the range of each; LIMIT_x: the limits; OVERLOADED: 1 if a
# GPU is.

if (PLAIN) { set terminal dumb size COLUMNS, 2 * LINES mono }
set key off
set logscale x
unit(k, f) = k < 0 ? sprintf("%.0f µs", f * 10.0**(k + 3)) : k < 3 ? sprintf("%.0f ms", f * 10.0**k) : \
	k < 6 ? sprintf("%.0f s", f * 10.0**(k - 3)) : sprintf("%s10^%d s", f > 1 ? sprintf("%d·", f) : "", k - 3)
set xtics font SMALL
BOTTOM = invnorm(0.0007)
TOP = invnorm(0.9993)
set yrange [BOTTOM:TOP]
set ytics ("0.1" invnorm(0.001), "1" invnorm(0.01), "10" invnorm(0.1), "50" 0, "90" invnorm(0.9), "99" invnorm(0.99), "99.9" invnorm(0.999)) font SMALL

label(m) = m eq "ttft_ms" ? "Time to first token, TTFT" : m eq "queue_ms" ? "Queue wait" : m eq "tpot_ms" ? "Time per output token, TPOT" : \
	m eq "itl_ms" ? "Gap between two tokens, ITL" : "Time to last token, E2E"
of(i, m) = column("series") == i && strcol("metric") eq m
ends(i, m, is) = of(i, m) && (strcol("verdict") eq "overloaded") == is
ms(ok) = ok && column("value_ms") > 0 ? column("value_ms") : NaN
high(q) = q > 0 && q < 1 ? invnorm(q) : NaN
marked(q) = q == 0.1 || q == 0.5 || q == 0.9 || q == 0.99 || q == 0.999
mean(q) = q eq "NaN" # it has no place in the distribution
place(q) = mean(q) ? invnorm(0.003) : q >= 1 ? TOP : invnorm(q + 0)

# The queue wait and gaps are left out of plain text.
SHOWN = ""
do for [k = 1:|METRIC|] {
	m = METRIC[k]
	if (!PLAIN || m eq "ttft_ms" || m eq "tpot_ms" || m eq "e2e_ms") { SHOWN = SHOWN." ".m }
}
if (PLAIN) { set multiplot layout words(SHOWN), 1 title heading("how the latencies are distributed") noenhanced } else { \
	set multiplot layout ROWS, 3 title heading("how the latencies are distributed") noenhanced }
do for [n = 1:words(SHOWN)] {
	m = word(SHOWN, n)
	set xrange [value("LOW_".m) / 1.5:value("HIGH_".m) * 1.5]
	set xlabel label(m)
	WIDTH = value("HIGH_".m) / value("LOW_".m)
	set xtics ("" 1e-9)
	set for [k = -3:9] for [f in WIDTH < 4 ? "1 2 5" : WIDTH < 30 ? "1 3" : "1"] xtics add (unit(k, f + 0) f * 10.0**k)
	eval upward(m eq "itl_ms" ? "Gaps no longer [%]" : PLAIN || n % 3 == 1 ? "Requests no slower [%]" : "")
	unset arrow
	unset label
	do for [k = 1:LIMITS] {
		if (LIMIT_METRIC[k] eq m) {
			set arrow from LIMIT_MS[k], BOTTOM to LIMIT_MS[k], TOP nohead dashtype 2 linewidth 1.2 linecolor rgb "#606060"
			set label LIMIT_NAME[k] at LIMIT_MS[k], place(LIMIT_QUANTILE[k]) right offset PLAIN ? -2 : -0.8, 0 font SMALL textcolor rgb "#404040" front
			if (!mean(LIMIT_QUANTILE[k])) { set label "" at LIMIT_MS[k], place(LIMIT_QUANTILE[k]) point pointtype 13 pointsize 1.4 linecolor rgb "#606060" front }
		}
	}
	if (PLAIN && n == 1) { set key } else { set key off }
	plot for [i = 1:|GPU|] DATA using (ms(ends(i, m, 0))):(high(column("quantile"))) with lines dashtype dash(i) linewidth 2 linecolor rgb COLOUR[turn(i)] notitle, \
		for [i = 1:|GPU|] DATA using (ms(ends(i, m, 1))):(high(column("quantile"))) with lines dashtype 3 linewidth 2 linecolor rgb COLOUR[turn(i)] notitle, \
		for [i = 1:|GPU|] DATA using (ms(of(i, m) && marked(column("quantile")))):(high(column("quantile"))) \
			with points pointtype SHAPE[turn(i)] pointsize 0.6 linecolor rgb COLOUR[turn(i)] title GPU[i]
}
if (!PLAIN) {
	unset arrow; unset label; unset border; unset tics; unset xlabel; unset ylabel; unset logscale; unset grid
	set key center center vertical maxcols 1 samplen 2.5
	set xrange [0:1]; set yrange [0:1]
	plot 2 with lines notitle, \
		for [i = 1:|GPU|] keyentry with linespoints dashtype dash(i) linewidth 2 pointtype SHAPE[turn(i)] pointsize 0.6 linecolor rgb COLOUR[turn(i)] title GPU[i], \
		for [k = 1:LIMITS > 0] keyentry with linespoints dashtype 2 linewidth 1.2 pointtype 13 linecolor rgb "#606060" title "limit of the SLO, and its percentile", \
		for [k = 1:OVERLOADED] keyentry with lines dashtype 3 linewidth 2 linecolor rgb "#606060" title "overloaded: waits grow without end"
}
unset multiplot
