// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.bench.value.RateMeter.TriedRate;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The results of the draw in the middle as a picture: p99 by the rate of requests, a line for each balancer. */
public final class ValuePlot {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final double LEAST_MS = 10;
    private static final double MOST_MS = 10_000;
    private static final List<Color> COLORS = List.of(
            new Color(0x3a, 0x9a, 0x4b),
            new Color(0x88, 0x88, 0x88),
            new Color(0xd9, 0x7a, 0x1c),
            new Color(0x1c, 0x6d, 0xd0));

    private ValuePlot() {}

    /** Writes a PNG file. */
    public static void write(List<DrawResult> draws, Path file) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("The same %d servers, asked unevenly".formatted(ValueCluster.HOSTS))
                .xAxisTitle("requests a second")
                .yAxisTitle("p99 in ms")
                .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE)
                .setSeriesColors(COLORS.toArray(Color[]::new));
        chart.getStyler()
                .setXAxisDecimalPattern("#,##0")
                .setYAxisLogarithmic(true)
                .setYAxisDecimalPattern("#,##0")
                .setYAxisMin(LEAST_MS)
                .setYAxisMax(MOST_MS);
        DrawResult middle = draws.get(draws.size() / 2);
        for (Balancer balancer : Balancer.values()) {
            List<TriedRate> rates = middle.of(balancer).rates().stream()
                    .sorted(Comparator.comparingDouble(TriedRate::perSecond))
                    .toList();
            chart.addSeries(
                            balancer.description(),
                            rates.stream().mapToDouble(TriedRate::perSecond).toArray(),
                            rates.stream()
                                    .mapToDouble(rate -> Math.min(MOST_MS, Math.max(LEAST_MS, rate.p99Ms())))
                                    .toArray())
                    .setMarker(SeriesMarkers.CIRCLE);
        }
        // By name it would get an ending of its own.
        try (OutputStream picture = Files.newOutputStream(file)) {
            BitmapEncoder.saveBitmap(chart, picture, BitmapFormat.PNG);
        }
    }
}
