NAME = 'cost'
TITLE = 'chat on an 8B model'
array GPU[4] = ['a100-sxm-80gb', 'l4-24gb', 'l40s-48gb', 'h100-sxm-80gb']
LOST = 0
MISSING = ''
LIMIT = 8.88727158

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
