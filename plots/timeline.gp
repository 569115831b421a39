# SPDX-License-Identifier: GPL-3.0-or-later
# Requests that wait, sequences that run and KV in use over time, in the first replication of the run. A line is the mean
# over each of 400 intervals, the thin one above it the most that was seen in it (KV: of the fullest replica). Shaded: the
# warm-up, which is not measured.
# GPU: names by series; SPAN_S, WARMUP_S: the longest run and warm-up [s]; WAITING, RUNNING: the most of them.

if (PLAIN) { set terminal dumb size COLUMNS, 2 * LINES mono }
UNIT = SPAN_S > 172800 ? "days" : SPAN_S > 7200 ? "h" : SPAN_S > 300 ? "min" : "s"
SECONDS = UNIT eq "days" ? 86400.0 : UNIT eq "h" ? 3600.0 : UNIT eq "min" ? 60.0 : 1.0
set xrange [0:SPAN_S / SECONDS]
set key off
set lmargin 11
set rmargin 3
mine(i) = column("series") == i ? column("time_s") / SECONDS : NaN
if (WARMUP_S > 0) { set object 1 rectangle from 0, graph 0 to WARMUP_S / SECONDS, graph 1 fillcolor rgb "#e8e8e8" fillstyle solid noborder behind }
if (WARMUP_S > 0) { set label 1 (PLAIN ? "| warm-up before" : "← warm-up") at WARMUP_S / SECONDS, graph 0.93 left offset 0.4, 0 font SMALL textcolor rgb "#606060" }

set multiplot layout 3, 1 title heading("means over intervals of time, the most in each as a thin line") noenhanced
set key on samplen 2
set format x ""
eval upward("Waiting [requests]")
set yrange [0:1.05 * WAITING]
plot for [i = 1:|GPU|] DATA using (mine(i)):(column("waiting_max")) with lines linewidth 0.7 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] DATA using (mine(i)):(column("waiting")) with linespoints dashtype dash(i) linewidth 2 pointtype SHAPE[turn(i)] pointinterval 57 + 4 * i pointsize 0.7 linecolor rgb COLOUR[turn(i)] title GPU[i]
set yrange [0:1.05 * RUNNING]
unset label 1
set key off
set ytics auto
eval upward("Running [sequences]")
plot for [i = 1:|GPU|] DATA using (mine(i)):(column("running_max")) with lines linewidth 0.7 linecolor rgb COLOUR[turn(i)], \
	for [i = 1:|GPU|] DATA using (mine(i)):(column("running")) with linespoints dashtype dash(i) linewidth 2 pointtype SHAPE[turn(i)] pointinterval 57 + 4 * i pointsize 0.7 linecolor rgb COLOUR[turn(i)]
set format x "%g"
set xlabel "Time [".UNIT."]"
eval upward("KV in use [% of the pool]")
set yrange [0:100]
plot for [i = 1:|GPU|] DATA using (mine(i)):(100 * column("kv_max")) with lines linewidth 0.7 linecolor rgb COLOUR[turn(i)], \
	for [i = 1:|GPU|] DATA using (mine(i)):(100 * column("kv")) with linespoints dashtype dash(i) linewidth 2 pointtype SHAPE[turn(i)] pointinterval 57 + 4 * i pointsize 0.7 linecolor rgb COLOUR[turn(i)]
unset multiplot
