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
if (PLAIN) { set terminal dumb size COLUMNS, LINES mono }
if (ending eq "svg") { set terminal svg size WIDE, HIGH font "Helvetica,16" background rgb "white" }
if (ending eq "png") { set terminal pngcairo size WIDE * 1.5, HIGH * 1.5 font "Helvetica,18" linewidth 1.5 pointscale 1.5 }
if (ending eq "pdf") { set terminal pdfcairo size WIDE / 120.0, HIGH / 120.0 font "Helvetica,19.2" }
if (!PLAIN) { set output OUT }
set encoding utf8
set datafile separator ","
set datafile columnheaders

# Okabe and Ito's colours, told apart by every kind of colour vision, and by point shape and dashes in grey print.
array COLOUR[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#8C7A00"]
array SHAPE[8] = [7, 5, 9, 13, 4, 11, 6, 8]
turn(i) = (i - 1) % 8 + 1
dash(i) = 1 + (i - 1) / 8 # a second round of colours is dashed
FONT = 16 # points of a picture WIDE points wide
SMALL = PLAIN ? "" : sprintf("Helvetica,%g", ending eq "pdf" ? 15.4 : ending eq "png" ? 14.5 : 13)
short(s, n) = strlen(s) > n ? s[1:n-1]."…" : s
heading(below) = short(TITLE, 76).(below eq "" ? "" : "\n".below)

set border 3 linecolor rgb "#404040"
set grid xtics ytics linecolor rgb "#d0d0d0" linewidth 0.7
set tics nomirror out
set format x "%g"
set key outside top center horizontal reverse Left samplen 2.5 spacing 1.15 noenhanced
set style textbox opaque noborder fillcolor rgb "white" margins 0.15, 0.15
