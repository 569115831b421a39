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
set title TITLE noenhanced
set xlabel "Offered load [requests/s]"
set ylabel "Cost [US$ per 1,000 requests]"
set key top right noenhanced
set grid ytics xtics linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
set logscale y
set format y "%g"
set xrange [0:LIMIT * 1.02]

# Okabe and Ito's colours, told apart by every kind of colour vision, and by point shape in print.
array COLOUR[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]
array SHAPE[8] = [7, 5, 9, 13, 11, 15, 4, 6]
mine(gpu) = strcol("gpu") eq gpu
holds() = strcol("holds") eq "true"

plot for [i = 1:words(GPUS)] "cost.csv" \
	using (mine(word(GPUS, i)) && holds() ? column("rate_rps") : NaN):(column("usd_per_1k_requests")) \
	with linespoints linewidth 2 pointsize 0.7 pointtype SHAPE[i] linecolor rgb COLOUR[i] title word(GPUS, i), \
	for [i = 1:words(GPUS)] "cost.csv" \
	using (mine(word(GPUS, i)) ? column("rate_rps") : NaN):(column("usd_per_1k_requests")) \
	with lines dashtype 3 linewidth 1 linecolor rgb COLOUR[i] notitle, \
	for [i = 1:words(GPUS)] "cost.csv" \
	using (mine(word(GPUS, i)) && holds() ? column("rate_rps") : NaN):(column("usd_per_1k_requests")):(sprintf("%d", column("gpus"))) \
	with labels offset 0,0.9 font ",11" textcolor rgb COLOUR[i] notitle
