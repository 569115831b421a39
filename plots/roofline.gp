# SPDX-License-Identifier: GPL-3.0-or-later
# The roofline of each GPU, solid as its datasheet has it, dashed as long kernels sustain it (its symbol stands at the
# ridge), and where the steps of the run work under it: FLOPs for each byte moved against FLOP/s reached, a point for
# the steps with a prompt's chunk in them (prefill) and one for those that only decode, with their share of the busy
# time. What a point lacks to the dashed roof went to fixed times, to the other terms of its steps, or to waiting for
# the host; roofline.csv has the terms.
# GPU: names by series.

set key title heading("roofs: datasheet solid, sustained dashed; share of busy time in prefill and decode steps") noenhanced samplen 2 maxcols 4
set xlabel "Arithmetic intensity [FLOP/byte]"
eval upward("Compute reached by a GPU [TFLOP/s]")
set logscale xy
set format y "%g"

TERA = 1e12
array PEAK[|GPU|]; array BAND[|GPU|]; array MOST[|GPU|]; array FEED[|GPU|]
take(i) = (PEAK[i] = column("peak_flop_per_s") / TERA, BAND[i] = column("peak_byte_per_s") / TERA, \
	MOST[i] = column("sustained_flop_per_s") / TERA, FEED[i] = column("sustained_byte_per_s") / TERA)
work(ok) = ok ? column("flop_per_byte") : NaN
reached = "flop_per_s"
stats DATA using (take(int(column("series"))), work(strcol("term") eq "")) name "X" nooutput
stats DATA using (strcol("term") eq "" ? column(reached) / TERA : NaN) name "Y" nooutput
LEFT = X_min / 2
RIGHT = X_max * 2
do for [i = 1:|GPU|] { RIGHT = RIGHT > 3 * PEAK[i] / BAND[i] ? RIGHT : 3 * PEAK[i] / BAND[i] }
set xrange [LEFT:RIGHT]
set yrange [Y_min / 3:*]
set samples 500
roof(x, peak, band) = x * band < peak ? x * band : peak
mine(i) = column("series") == i && strcol("term") eq "" # one at least
share(i) = sprintf("%s%.0f %%", |GPU| > 6 ? "" : strcol("phase")." ", 100 * column("busy_share"))
side(i) = i % 2 ? -1.1 : 1.1 # labels of neighbours stand on different sides of their points

plot for [i = 1:|GPU|] roof(x, PEAK[i], BAND[i]) with lines dashtype dash(i) linewidth 1.6 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] roof(x, MOST[i], FEED[i]) with lines dashtype 2 linewidth 1.2 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] "+" using (PEAK[i] / BAND[i]):(PEAK[i]) every ::0::0 with points pointtype SHAPE[turn(i)] pointsize 0.7 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] DATA using (work(mine(i))):(column(reached) / TERA):(share(i)) \
		with labels boxed offset 0, side(i) font SMALL textcolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] DATA using (work(mine(i))):(column(reached) / TERA) \
		with points pointtype SHAPE[turn(i)] pointsize 1.4 linecolor rgb COLOUR[turn(i)] notitle, \
	for [i = 1:|GPU|] keyentry with linespoints linewidth 2 dashtype dash(i) pointtype SHAPE[turn(i)] linecolor rgb COLOUR[turn(i)] title GPU[i]
