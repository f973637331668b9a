// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.TimeSeriesPoint;
import io.hearth.bench.cluster.VariantResult.TopologyEvent;
import io.hearth.bench.cluster.VariantRun.Variant;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The results as a picture: locality and p99 over time around healing, after a crash and beside an empty host, how long each round took, and
 * the hot spot; a line for each variant. What was left out has no place in it.
 */
public final class ClusterPlot {

    private static final int WIDTH = 520;
    private static final int HEIGHT = 300;
    private static final String SINCE_ASKED = "seconds since healing or compactions were asked for";
    private static final double AROUND_SECONDS = 60;
    private static final int COLUMNS = 4;
    private static final List<Color> COLORS =
            List.of(new Color(0x88, 0x88, 0x88), new Color(0xd9, 0x7a, 0x1c), new Color(0x1c, 0x6d, 0xd0));

    private ClusterPlot() {}

    /** Writes a PNG file. */
    public static void write(Map<Variant, VariantResult> results, Path file) throws IOException {
        List<XYChart> charts = charts(results);
        int columns = Math.min(COLUMNS, charts.size());
        int rows = (charts.size() + columns - 1) / columns;
        BufferedImage picture = new BufferedImage(columns * WIDTH, rows * HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, picture.getWidth(), picture.getHeight());
        for (int i = 0; i < charts.size(); i++) {
            int x = i % columns * WIDTH;
            int y = i / columns * HEIGHT;
            graphics.translate(x, y);
            charts.get(i).paint(graphics, WIDTH, HEIGHT);
            graphics.translate(-x, -y);
        }
        graphics.dispose();
        if (!ImageIO.write(picture, "png", file.toFile())) {
            throw new IOException("this JVM can't write PNG files, so not " + file);
        }
    }

    private static List<XYChart> charts(Map<Variant, VariantResult> results) {
        List<TopologyEvent> events = List.of(TopologyEvent.CRASH, TopologyEvent.HOST_ADDED);
        List<XYChart> charts = new ArrayList<>();
        for (TopologyEvent event : events) {
            chart(
                            "Locality, " + event.description(),
                            SINCE_ASKED,
                            "%",
                            lines(results, result -> locality(result, event)))
                    .map(ClusterPlot::percent)
                    .ifPresent(charts::add);
        }
        recoveryChart(results, BenchmarkStage.MOVED).ifPresent(charts::add);
        chart(
                        "Hot spot, max/mean over the servers",
                        "seconds since it appeared",
                        "",
                        lines(results, result -> result.hotSpot()
                                .map(HotSpotResult::skew)
                                .orElse(List.of())))
                .ifPresent(charts::add);
        for (TopologyEvent event : events) {
            chart(
                            "p99 of gets, " + event.description(),
                            SINCE_ASKED,
                            "ms",
                            lines(results, result -> p99(result, event)))
                    .map(ClusterPlot::logarithmic)
                    .ifPresent(charts::add);
        }
        recoveryChart(results, BenchmarkStage.RETURNED).ifPresent(charts::add);
        return charts;
    }

    private static Optional<XYChart> recoveryChart(Map<Variant, VariantResult> results, BenchmarkStage stage) {
        return chart(
                        "All is local, " + stage.title(),
                        "round",
                        "seconds",
                        lines(results, result -> rounds(result, stage)))
                .map(ClusterPlot::fromZero);
    }

    private static List<TimeSeriesPoint> locality(VariantResult result, TopologyEvent event) {
        return around(result, event, EventResult::locality, 100);
    }

    private static List<TimeSeriesPoint> p99(VariantResult result, TopologyEvent event) {
        return positive(around(result, event, EventResult::p99, 1));
    }

    /** The values from a while before until a while after healing was asked for, each times a factor; none of an event that was left out. */
    private static List<TimeSeriesPoint> around(
            VariantResult result,
            TopologyEvent event,
            Function<EventResult, List<TimeSeriesPoint>> points,
            double factor) {
        return Optional.ofNullable(result.events().get(event)).stream()
                .flatMap(seen -> points.apply(seen).stream()
                        .map(point ->
                                new TimeSeriesPoint(point.seconds() - seen.askedSeconds(), factor * point.value())))
                .filter(point -> Math.abs(point.seconds()) <= AROUND_SECONDS)
                .toList();
    }

    private static List<TimeSeriesPoint> rounds(VariantResult result, BenchmarkStage stage) {
        List<TimeSeriesPoint> points = new ArrayList<>();
        Optional.ofNullable(result.rounds().get(stage)).ifPresent(rounds -> rounds.rounds().stream()
                .map(round -> round.times().copied())
                .filter(Double::isFinite)
                .forEach(seconds -> points.add(new TimeSeriesPoint(points.size() + 1.0, seconds))));
        return points;
    }

    private static Map<Variant, List<TimeSeriesPoint>> lines(
            Map<Variant, VariantResult> results, Function<VariantResult, List<TimeSeriesPoint>> line) {
        Map<Variant, List<TimeSeriesPoint>> lines = new EnumMap<>(Variant.class);
        results.forEach((variant, result) -> lines.put(variant, line.apply(result)));
        lines.values().removeIf(List::isEmpty);
        return lines;
    }

    /** Nothing else has a logarithm. */
    private static List<TimeSeriesPoint> positive(List<TimeSeriesPoint> points) {
        return points.stream().filter(point -> point.value() > 0).toList();
    }

    /** Nothing where there are no lines. */
    private static Optional<XYChart> chart(
            String title, String time, String unit, Map<Variant, List<TimeSeriesPoint>> lines) {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(time)
                .yAxisTitle(unit)
                .build();
        chart.getStyler()
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisDecimalPattern("0");
        List<Color> colors = new ArrayList<>();
        lines.forEach((variant, points) -> {
            colors.add(COLORS.get(variant.ordinal()));
            chart.addSeries(
                            variant.description(),
                            points.stream()
                                    .mapToDouble(TimeSeriesPoint::seconds)
                                    .toArray(),
                            points.stream().mapToDouble(TimeSeriesPoint::value).toArray())
                    .setMarker(SeriesMarkers.NONE);
        });
        chart.getStyler().setSeriesColors(colors.toArray(Color[]::new));
        return Optional.of(chart);
    }

    private static XYChart percent(XYChart chart) {
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0);
        return chart;
    }

    private static XYChart fromZero(XYChart chart) {
        chart.getStyler().setYAxisMin(0.0);
        return chart;
    }

    private static XYChart logarithmic(XYChart chart) {
        chart.getStyler().setYAxisLogarithmic(true).setYAxisDecimalPattern("#,##0.##");
        return chart;
    }
}
