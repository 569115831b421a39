# SPDX-License-Identifier: GPL-3.0-or-later
# GPUs of each kind that replace FROM, over two parameters: the unrounded simulated ratio in each cell, as colour from dark
# (few) to light (many), whose brightness alone says it in grey; "in TP2": two GPUs make a unit. Hatched: it cannot, at any
# number.
# GPU: a panel each, ACROSS x DOWN of them; X and Y: what stands along the axes, XLABEL and YLABEL.

set palette defined (0 "#00204d", 1 "#31446b", 2 "#666970", 3 "#958f78", 4 "#cab969", 5 "#ffea46") # cividis
number(r, tp) = r > 0 ? r * (tp > 1 ? tp : 1) : NaN
stats DATA using (number(column("ratio"), column("tensor_parallel"))) name "RATIO" nooutput
LOW = RATIO_min
TALL = RATIO_max > LOW ? RATIO_max : LOW * 1.01
set cbrange [LOW:TALL]
if (TALL > 8 * LOW) { set logscale cb; part(r) = log(r / LOW) / log(TALL / LOW) } else { part(r) = (r - LOW) / (TALL - LOW) }
set cbtics ("" -1)
set for [e = -3:5] for [m in "1 2 5"] cbtics add (group(m * 10.0**e) m * 10.0**e)
if (!(TALL > 8 * LOW)) { set cbtics autofreq; set format cb "%g" }
set cblabel "Ratio [GPUs]" offset 1.5, 0

set multiplot layout DOWN, ACROSS title TITLE."\nGPUs that replace ".short(FROM, 40).", unrounded ratio" noenhanced
unset key
unset grid
set border 0
set tics scale 0
set xlabel XLABEL noenhanced
if (PLAIN) { unset colorbox } else { set ylabel YLABEL noenhanced }
set xrange [0.5:|X| + 0.5]
set yrange [0.5:|Y| + 0.5]
set xtics noenhanced ("" 0)
set ytics noenhanced ("" 0)
set for [i = 1:|X|] xtics add (plain(short(X[i], 14)) i)
set for [i = 1:|Y|] ytics add (plain(short(Y[i], 14)) i)
if (|X| > 10) { set xtics rotate by 45 right }
CELLS = |X| * ACROSS
VALUE = font(CELLS > 24 ? 0.55 : CELLS > 14 ? 0.7 : 0.9)

here(p) = column("panel") == p ? column("column") : NaN
can(p) = column("ratio") > 0 ? here(p) : NaN
cannot(p) = column("ratio") > 0 ? NaN : here(p)
# As a plot of labels with no valid point ends gnuplot 5.4, each panel has one, of all its cells.
group_of(tp) = tp > 1 && (!PLAIN || CELLS < 6) ? sprintf(PLAIN ? " TP%d" : "\nin TP%d", tp) : ""
text(r, tp) = r > 0 ? sprintf(number(r, tp) >= 99.95 ? "%.0f" : "%.3g", number(r, tp)).group_of(tp) : PLAIN && CELLS > 8 ? "-" : "cannot"
ink(r, tp) = r > 0 && part(number(r, tp)) < 0.55 ? 0xffffff : 0x000000

do for [p = 1:|GPU|] {
	set title GPU[p].(PLAIN ? ", upward: ".YLABEL : "") noenhanced
	plot DATA using (can(p)):(column("row")):(0.49):(0.49):(number(column("ratio"), column("tensor_parallel"))) \
			with boxxyerror fillstyle solid 1 noborder linecolor palette, \
		DATA using (cannot(p)):(column("row")):(0.49):(0.49) \
			with boxxyerror fillstyle pattern 4 noborder linecolor rgb "#c0c0c0", \
		DATA using (here(p)):(column("row")):(text(column("ratio"), column("tensor_parallel"))):(ink(column("ratio"), column("tensor_parallel"))) \
			with labels font VALUE textcolor rgb variable
}
unset multiplot
