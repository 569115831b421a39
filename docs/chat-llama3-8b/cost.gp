TITLE = 'chat on an 8B model'
LIMIT = 9.05775
GPUS = 'a100-sxm-80gb l4-24gb l40s-48gb h100-sxm-80gb'

# SPDX-License-Identifier: GPL-3.0-or-later
# Cost per 1,000 requests against load, for every GPU with the smallest number of whole units that holds the load.
# Data: cost.csv beside this file. Run: gnuplot cost.gp   (another output: gnuplot -e 'OUT="cost.png"' cost.gp)
# TITLE, GPUS (ids, separated by blanks) and LIMIT (the from side's capacity) stand above.

if (!exists("OUT")) OUT = "cost.svg"
ending = OUT[strlen(OUT)-2:]
if (ending eq "svg") { set terminal svg size 960,600 font "Helvetica,16" background rgb "white" }
if (ending eq "png") { set terminal pngcairo size 1440,900 font "Helvetica,20" }
if (ending eq "pdf") { set terminal pdfcairo size 8,5 font "Helvetica,14" }
set output OUT

set datafile separator ","
set datafile columnheaders
set title TITLE."\nthe fewest GPUs that hold the load; their number beside the line" noenhanced
set xlabel "Offered load [requests/s]"
set ylabel "Cost [US$ per 1,000 requests]"
set key top right noenhanced
set grid ytics xtics linecolor rgb "#b0b0b0"
set border 3
set tics nomirror out
set logscale y
set yrange [*:*] noextend
set offsets graph 0, 0, graph 0.06, graph 0.04
set format y "%g"
set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
set xrange [0:LIMIT * 1.02]

# Okabe and Ito's colours, told apart by every kind of colour vision, and by point shape in print.
array COLOUR[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]
array SHAPE[8] = [7, 5, 9, 13, 11, 15, 4, 6]
turn(i) = (i - 1) % 8 + 1
dash(i) = 1 + (i - 1) / 8 # a second round of colours is dashed
mine(gpu) = strcol("gpu") eq gpu
fits(x) = strcol("holds") eq "true" ? x : NaN
# The number of GPUs, where it changes.
seen = ""
label(gpu, n) = (before = seen, seen = gpu.sprintf(" %d", n), before eq seen ? "" : sprintf("%d", n))

plot for [i = 1:words(GPUS)] "cost.csv" \
	using (mine(word(GPUS, i)) ? fits(column("rate_rps")) : NaN):(column("usd_per_1k_requests")) \
	with linespoints dashtype dash(i) linewidth 2.5 pointsize 0.6 pointtype SHAPE[turn(i)] linecolor rgb COLOUR[turn(i)] title word(GPUS, i), \
	for [i = 1:words(GPUS)] "cost.csv" \
	using (mine(word(GPUS, i)) ? column("rate_rps") : NaN):(column("usd_per_1k_requests")) \
	with lines dashtype 3 linewidth 1 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:words(GPUS)] "cost.csv" \
	using (mine(word(GPUS, i)) ? fits(column("rate_rps")) : NaN):(column("usd_per_1k_requests")):(label(strcol("gpu"), column("gpus"))) \
	with labels offset 0,0.8 font ",12" textcolor rgb COLOUR[turn(i)] notitle
