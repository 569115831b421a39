# SPDX-License-Identifier: GPL-3.0-or-later
# The distribution of each latency over the requests (ITL: over the gaps between tokens): the share that is no slower
# than the value below. The vertical scale is that of a normal distribution, so that medians and tails can both be read.
# A limit of the SLO is a dashed line with a diamond at its percentile: a GPU keeps it if its line crosses the dashed one
# above the diamond. Requests that did not wait at all are below the lower end of a line of the queue wait. Waits of an
# overloaded GPU (dotted) have no end: they are drawn as far as the others reach.
# GPU: names by series. Series 0: the limits.

set key off
set logscale x
set for [k = 0:9] xtics add ((k < 3 ? sprintf("%.0f ms", 10.0**k) : k < 6 ? sprintf("%.0f s", 10.0**(k - 3)) : sprintf("10^%d s", k - 3)) 10.0**k)
set xtics font SMALL
LOW = invnorm(0.0007)
HIGHEST = invnorm(0.9993)
set ytics ("0.1" invnorm(0.001), "1" invnorm(0.01), "10" invnorm(0.1), "50" 0, "90" invnorm(0.9), "99" invnorm(0.99), "99.9" invnorm(0.999)) font SMALL

label(m) = m eq "ttft_ms" ? "Time to first token, TTFT" : m eq "queue_ms" ? "Queue wait" : m eq "tpot_ms" ? "Time per output token, TPOT" : \
	m eq "itl_ms" ? "Gap between two tokens, ITL" : "Time to last token, E2E"
inside(q) = q > 0 && q < 1
metric(m) = strcol("metric") eq m
of(i, m) = column("series") == i && metric(m)
ends(i, m, is) = of(i, m) && (strcol("verdict") eq "overloaded") == is
ms(ok) = ok && column("value_ms") > 0 ? column("value_ms") : NaN
high(q) = inside(q) ? invnorm(q) : NaN
marked(q) = q == 0.1 || q == 0.5 || q == 0.9 || q == 0.99 || q == 0.999
stats DATA using (column("series") == 0 ? 4 : strcol("verdict") eq "overloaded" ? 2 : 1) name "KIND" nooutput
LIMITS = KIND_max == 4
ALL = KIND_min > 1 # every GPU is overloaded
stats DATA using (strcol("verdict") eq "overloaded") name "OVERLOADED" nooutput
METRICS = PLAIN ? "ttft_ms tpot_ms e2e_ms" : "ttft_ms queue_ms e2e_ms tpot_ms itl_ms"

if (PLAIN) { set multiplot layout 3, 1 } else { set multiplot layout 2, 3 title heading("how the latencies of its requests are distributed") noenhanced }
do for [m in METRICS] {
	# From the fastest to the slowest of those that are not overloaded, or of all.
	S_records = 0
	set xrange [*:*]; set yrange [*:*]
	stats DATA using (ms(metric(m) && inside(column("quantile")) && (strcol("verdict") ne "overloaded" || ALL))) name "S" nooutput
	if (S_records > 0) { set xrange [S_min / 1.5:S_max * 1.5] }
	set yrange [LOW:HIGHEST]
	set xlabel label(m)
	set ylabel (m eq "ttft_ms" || m eq "tpot_ms" ? "Requests no slower [%]" : m eq "itl_ms" ? "Gaps no longer [%]" : "")
	plot for [i = 1:|GPU|] DATA using (ms(ends(i, m, 0))):(high(column("quantile"))) with lines dashtype dash(i) linewidth 2 linecolor rgb COLOUR[turn(i)], \
		for [i = 1:|GPU|] DATA using (ms(ends(i, m, 1))):(high(column("quantile"))) with lines dashtype 3 linewidth 2 linecolor rgb COLOUR[turn(i)], \
		for [i = 1:|GPU|] DATA using (ms(of(i, m) && marked(column("quantile")))):(high(column("quantile"))) \
			with points pointtype SHAPE[turn(i)] pointsize 0.6 linecolor rgb COLOUR[turn(i)], \
		DATA using (ms(of(0, m))):(LOW):(0):(HIGHEST - LOW) with vectors nohead dashtype 2 linewidth 1.2 linecolor rgb "#606060", \
		DATA using (ms(of(0, m))):(high(column("quantile"))):(strcol("gpu")) with labels boxed right offset -0.8, 0 font SMALL textcolor rgb "#404040", \
		DATA using (ms(of(0, m))):(high(column("quantile"))) with points pointtype 13 pointsize 1.4 linecolor rgb "#606060"
}
if (!PLAIN) {
	unset border; unset tics; unset xlabel; unset ylabel; unset logscale; unset grid
	set key center center vertical maxcols 1
	set xrange [0:1]; set yrange [0:1]
	plot 2 with lines notitle, \
		for [i = 1:|GPU|] keyentry with linespoints dashtype dash(i) linewidth 2 pointtype SHAPE[turn(i)] pointsize 0.6 linecolor rgb COLOUR[turn(i)] title GPU[i], \
		for [k = 1:LIMITS] keyentry with linespoints dashtype 2 linewidth 1.2 pointtype 13 linecolor rgb "#606060" title "limit of the SLO, kept above the mark", \
		for [k = 1:OVERLOADED_max] keyentry with lines dashtype 3 linewidth 2 linecolor rgb "#606060" title "overloaded: waits grow without end"
}
unset multiplot
