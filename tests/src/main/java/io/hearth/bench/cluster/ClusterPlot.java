package io.hearth.bench.cluster;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The results as a picture: locality and p99 over time around what brings data home, after a crash and beside an empty host, how long each round took, and
 * the hot spot; a line for each variant.
 */
public final class ClusterPlot {

    private static final int WIDTH = 520;
    private static final int HEIGHT = 300;
    private static final String SINCE_ASKED = "seconds since healing or compactions were asked for";
    private static final double AROUND_SECONDS = 60;
    private static final int COLUMNS = 3;
    private static final int ROWS = 2;
    private static final List<Color> COLORS =
            List.of(new Color(0x88, 0x88, 0x88), new Color(0xd9, 0x7a, 0x1c), new Color(0x1c, 0x6d, 0xd0));

    private ClusterPlot() {}

    /** Writes a PNG file. */
    public static void write(Map<Variant, VariantResult> results, Path file) throws IOException {
        BufferedImage picture = new BufferedImage(COLUMNS * WIDTH, ROWS * HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        List<XYChart> charts = charts(results);
        for (int i = 0; i < charts.size(); i++) {
            int x = i % COLUMNS * WIDTH;
            int y = i / COLUMNS * HEIGHT;
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
        List<Event> events = List.of(Event.CRASH, Event.EMPTY_HOST);
        List<XYChart> charts = new ArrayList<>();
        for (Event event : events) {
            charts.add(percent(chart(
                    "Locality, " + event.words(),
                    SINCE_ASKED,
                    "%",
                    lines(results, result -> around(result.events().get(event), EventResult::locality, 100)))));
        }
        charts.add(chart(
                "Hot spot, busiest server over average",
                "seconds since it appeared",
                "",
                lines(results, result -> result.hotSpot().skew())));
        for (Event event : events) {
            charts.add(logarithmic(chart(
                    "p99 of gets, " + event.words(),
                    SINCE_ASKED,
                    "ms",
                    lines(results, result -> positive(around(result.events().get(event), EventResult::p99, 1))))));
        }
        charts.add(fromZero(chart("All is home", "round", "seconds", lines(results, ClusterPlot::rounds))));
        return charts;
    }

    /** The values from a while before until a while after data was asked home, each times a factor. */
    private static List<Point> around(EventResult event, Function<EventResult, List<Point>> points, double factor) {
        return points.apply(event).stream()
                .map(point -> new Point(point.seconds() - event.askedSeconds(), factor * point.value()))
                .filter(point -> Math.abs(point.seconds()) <= AROUND_SECONDS)
                .toList();
    }

    private static List<Point> rounds(VariantResult result) {
        List<Point> points = new ArrayList<>();
        result.rounds().ifPresent(rounds -> rounds.seconds().stream()
                .filter(Double::isFinite)
                .forEach(seconds -> points.add(new Point(points.size() + 1.0, seconds))));
        return points;
    }

    private static Map<Variant, List<Point>> lines(
            Map<Variant, VariantResult> results, Function<VariantResult, List<Point>> line) {
        Map<Variant, List<Point>> lines = new EnumMap<>(Variant.class);
        results.forEach((variant, result) -> lines.put(variant, line.apply(result)));
        lines.values().removeIf(List::isEmpty);
        return lines;
    }

    /** Nothing else has a logarithm. */
    private static List<Point> positive(List<Point> points) {
        return points.stream().filter(point -> point.value() > 0).toList();
    }

    private static XYChart chart(String title, String time, String unit, Map<Variant, List<Point>> lines) {
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
                            variant.words(),
                            points.stream().mapToDouble(Point::seconds).toArray(),
                            points.stream().mapToDouble(Point::value).toArray())
                    .setMarker(SeriesMarkers.NONE);
        });
        chart.getStyler().setSeriesColors(colors.toArray(Color[]::new));
        return chart;
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
