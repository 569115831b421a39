# SPDX-License-Identifier: GPL-3.0-or-later
# Simulated against measured figures of rows that no constant was fitted to, both axes logarithmic and alike: on the line they are
# equal, in the grey band they differ by 10 % at most. A mark is an engine; a small one stands above 0.9 of saturation, where a
# queue grows as long as the run lasts: its panel is not widened for it.
# ENGINE: names by series; PANEL: those with a mark, in ROWS, LOW_x and HIGH_x the range of each.

if (PLAIN) { set terminal dumb size COLUMNS, 3 * LINES mono }
set key off
set logscale xy
set format x ""
set format y ""
set size ratio PLAIN ? 0 : 1
set xtics font SMALL
set ytics font SMALL

label(p) = p eq "ttft" ? "TTFT, p50 or mean [ms]" : p eq "tpot" ? "TPOT or ITL, p50 or mean [ms]" : p eq "e2e" ? "E2E, p50 or mean [ms]" : \
	p eq "tail" ? "p99 of any latency [ms]" : "Throughput [tokens/s]"
of(i, p) = column("series") == i && strcol("panel") eq p
x(i, p, above) = of(i, p) && (strcol("load") eq "above 0.9") == above ? column("measured") : NaN

tick(v) = v < 1e3 ? sprintf("%g", v) : v < 1e6 ? sprintf("%gk", v / 1e3) : sprintf("%gM", v / 1e6)
at(t) = low * (high / low)**t

# Tails and whole answers are left out of plain text.
SHOWN = ""
do for [k = 1:|PANEL|] {
	p = PANEL[k]
	if (!PLAIN || p eq "ttft" || p eq "tpot" || p eq "tokens") { SHOWN = SHOWN." ".p }
}
TITLE = "Simulated against measured"
about = "the band is 10 %; rows that nothing was fitted to"
if (PLAIN) { set multiplot layout words(SHOWN), 1 title heading(about) noenhanced } else { \
	set multiplot layout ROWS, 3 margins 0.1, 0.985, ROWS > 1 ? 0.11 : 0.13, ROWS > 1 ? 0.87 : 0.76 spacing 0.085, 0.19 title heading(about) noenhanced }
do for [n = 1:words(SHOWN)] {
	p = word(SHOWN, n)
	low = value("LOW_".p) / 1.3
	high = value("HIGH_".p) * 1.3
	set xrange [low:high]
	set yrange [low:high]
	marks = high / low < 30 ? "1 2 5" : "1"
	set xtics ("" 1e-9)
	set ytics ("" 1e-9)
	set for [e = -4:8] for [m in marks] xtics add (tick(m * 10.0**e) m * 10.0**e)
	set for [e = -4:8] for [m in marks] ytics add (tick(m * 10.0**e) m * 10.0**e)
	if (!PLAIN) { set title label(p) noenhanced offset 0, -0.4 }
	set xlabel PLAIN ? "measured ".label(p) : "measured" noenhanced offset 0, 0.4
	eval upward(PLAIN || n % 3 == 1 ? "simulated" : "")
	if (PLAIN && n == 1) { set key } else { set key off }
	plot sample [t=0:1] "+" using (at(t)):(0.9 * at(t) < low ? low : 0.9 * at(t)):(1.1 * at(t) > high ? high : 1.1 * at(t)) \
			with filledcurves fillcolor rgb "#dcdcdc" notitle, \
		[t=0:1] "+" using (at(t)):(at(t)) with lines linewidth 1 linecolor rgb "#404040" notitle, \
		for [i = 1:|ENGINE|] DATA using (x(i, p, 1)):(column("simulated")) with points pointtype SHAPE[turn(i)] pointsize 0.3 linecolor rgb COLOUR[turn(i)] notitle, \
		for [i = 1:|ENGINE|] DATA using (x(i, p, 0)):(column("simulated")) with points pointtype SHAPE[turn(i)] pointsize 0.7 linecolor rgb COLOUR[turn(i)] title ENGINE[i]
}
if (!PLAIN) {
	unset border; unset tics; unset title; unset xlabel; unset ylabel; unset logscale; unset grid
	set key center center vertical maxcols 1
	set xrange [0:1]; set yrange [0:1]
	plot 2 with lines notitle, \
		for [i = 1:|ENGINE|] keyentry with points pointtype SHAPE[turn(i)] pointsize 0.9 linecolor rgb COLOUR[turn(i)] title ENGINE[i], \
		keyentry with points pointtype 7 pointsize 0.3 linecolor rgb "#606060" title "small: above 0.9 of saturation"
}
unset multiplot
