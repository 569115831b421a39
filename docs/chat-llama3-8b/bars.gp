NAME = 'bars'
TITLE = 'chat on an 8B model'
FROM = '1 a100-sxm-80gb'
array GPU[3] = ['l4-24gb', 'l40s-48gb', 'h100-sxm-80gb']
array NEED[3] = ['15 GPUs', '2 GPUs', '1 GPU']

# SPDX-License-Identifier: GPL-3.0-or-later
# What all pictures share. Run: gnuplot NAME.gp draws NAME.svg beside it; gnuplot -e 'OUT="NAME.png"' NAME.gp another file
# (.svg, .png, .pdf), OUT="-" plain text on the terminal, COLUMNS x LINES characters.
# NAME, TITLE and the picture's own settings stand above; WIDE and HIGH are its size in points.

if (!exists("OUT")) OUT = NAME.".svg"
if (!exists("WIDE")) WIDE = 960
if (!exists("HIGH")) HIGH = 600
if (!exists("COLUMNS")) COLUMNS = 100
if (!exists("LINES")) LINES = 32
DATA = NAME.".csv"
ending = OUT eq "-" ? "-" : OUT[strlen(OUT)-2:]
PLAIN = ending eq "-"
SIZE = ending eq "pdf" ? 14.4 : ending eq "png" ? 18 : 16
font(part) = PLAIN ? "" : sprintf("Helvetica,%g", SIZE * part)
if (PLAIN) { set terminal dumb size COLUMNS, LINES mono }
if (ending eq "svg") { set terminal svg size WIDE, HIGH font font(1) background rgb "white" }
if (ending eq "png") { set terminal pngcairo size WIDE * 1.5, HIGH * 1.5 font font(1) linewidth 1.5 pointscale 1.5 }
if (ending eq "pdf") { set terminal pdfcairo size WIDE / 120.0, HIGH / 120.0 font font(1) linewidth 1.2 pointscale 0.8 }
if (!PLAIN) { set output OUT }
set encoding utf8
set datafile separator ","
set datafile columnheaders

# Okabe and Ito's colours, told apart by every kind of colour vision, and by point shape and dashes in grey print.
array COLOUR[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#8C7A00"]
array SHAPE[8] = [7, 5, 9, 13, 4, 11, 6, 8]
turn(i) = (i - 1) % 8 + 1
dash(i) = 1 + (i - 1) / 8 # a second round of colours is dashed
SMALL = font(0.8)
short(s, n) = strlen(s) > n ? s[1:n-1]."…" : s
heading(below) = short(TITLE, 76)."\n".below
# A text as the label of a tick, which is a format.
plain(s) = (at = strstrt(s, "%")) ? s[1:at]."%".plain(s[at + 1:*]) : s
group(x) = x < 1000 ? sprintf("%g", x) : x < 1e6 ? sprintf("%d,%03d", int(x) / 1000, int(x) % 1000) : \
	sprintf("%d,%03d,%03d", int(x) / 1000000, int(x) / 1000 % 1000, int(x) % 1000)
# eval upward("Cost [US$]"): the label of the y axis; plain text has it above.
upward(label) = sprintf(PLAIN ? "set title 'upward: %s' noenhanced" : "set ylabel '%s' noenhanced", label)
# eval TICS_125 on a logarithmic y axis.
TICS_125 = 'set ytics ("" 1e-9); set for [e = -4:6] for [m in "1 2 5"] ytics add (group(m * 10.0**e) m * 10.0**e)'

set border 3 linecolor rgb "#404040"
set grid xtics ytics linecolor rgb "#d0d0d0" linewidth 0.7
set tics nomirror out
set format x "%g"
set key outside top center horizontal reverse Left samplen (PLAIN ? 2 : 3.5) spacing 1.15 noenhanced
set style textbox opaque noborder fillcolor rgb "white" margins 0.15, 0.15

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
