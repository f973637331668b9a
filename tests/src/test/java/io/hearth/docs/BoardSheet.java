// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import io.hearth.docs.GrafanaBoard.Panel;
import io.hearth.docs.GrafanaBoard.Place;
import io.hearth.docs.PrometheusServer.Series;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A dashboard as one picture, with each panel where Grafana has it: for a person to look at. Not thread-safe. */
final class BoardSheet {

    private static final int COLUMN_PIXELS = 80;
    private static final int LINE_PIXELS = 40;
    private static final int COLUMNS = 24;

    /** Beside the lines of a narrower panel there is no room for their names. */
    private static final int COLUMNS_FOR_NAMES_BESIDE = 6;

    /** So that seventeen names fit beside a panel of eight lines. */
    private static final int LEGEND_PADDING = 4;

    private static final int SECONDS_OF_A_MINUTE = 60;
    private static final double HEADROOM = 1.05;
    private static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 10);
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 12);
    private static final Font HEADING = new Font(Font.SANS_SERIF, Font.BOLD, 18);

    private final BufferedImage picture;
    private final Graphics2D pen;

    /** An empty one for this board. */
    BoardSheet(GrafanaBoard board) {
        int lines = board.panels().stream()
                .map(Panel::place)
                .mapToInt(place -> place.y() + place.height())
                .max()
                .orElseThrow();
        picture = new BufferedImage(COLUMNS * COLUMN_PIXELS, lines * LINE_PIXELS, BufferedImage.TYPE_INT_RGB);
        pen = picture.createGraphics();
        pen.setColor(Color.WHITE);
        pen.fillRect(0, 0, picture.getWidth(), picture.getHeight());
        pen.setColor(Color.BLACK);
    }

    /**
     * Draws a panel.
     *
     * @param seriesByName its lines; none in a heading, or where there is nothing to show
     */
    void draw(Panel panel, Map<String, Series> seriesByName) {
        int left = panel.place().x() * COLUMN_PIXELS;
        int top = panel.place().y() * LINE_PIXELS;
        if (seriesByName.isEmpty()) {
            boolean isHeading = panel.targets().isEmpty();
            pen.setFont(isHeading ? HEADING : TITLE);
            pen.drawString(
                    panel.title() + (isHeading ? "" : ": nothing to show"),
                    left + LINE_PIXELS / 2,
                    top + LINE_PIXELS * 3 / 4);
            return;
        }
        pen.drawImage(BitmapEncoder.getBufferedImage(chart(panel, seriesByName)), left, top, null);
    }

    private static XYChart chart(Panel panel, Map<String, Series> seriesByName) {
        Place place = panel.place();
        XYChart chart = new XYChartBuilder()
                .width(place.width() * COLUMN_PIXELS)
                .height(place.height() * LINE_PIXELS)
                .title(panel.title())
                .yAxisTitle(panel.unit())
                .build();
        boolean hasNamesBeside = place.width() >= COLUMNS_FOR_NAMES_BESIDE;
        chart.getStyler()
                .setChartBackgroundColor(Color.WHITE)
                .setChartTitleFont(TITLE)
                .setLegendFont(SMALL)
                .setLegendPadding(LEGEND_PADDING)
                .setLegendPosition(hasNamesBeside ? LegendPosition.OutsideE : LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Vertical);
        double least = Math.min(0, values(seriesByName).min().orElse(0));
        double most = Math.max(least, values(seriesByName).max().orElse(0)) * HEADROOM;
        chart.getStyler()
                .setAxisTitleFont(SMALL)
                .setAxisTickLabelsFont(SMALL)
                .setXAxisMin(0.0)
                .setYAxisMin(least)
                .setYAxisMax(most > least ? most : least + 1);
        seriesByName.forEach((name, series) -> chart.addSeries(
                        name,
                        Arrays.stream(series.seconds())
                                .map(second -> second / SECONDS_OF_A_MINUTE)
                                .toArray(),
                        series.values())
                .setMarker(SeriesMarkers.NONE));
        return chart;
    }

    private static DoubleStream values(Map<String, Series> seriesByName) {
        return seriesByName.values().stream().flatMapToDouble(series -> Arrays.stream(series.values()));
    }

    /** Writes it as a PNG file, with the folder that it is to be in. */
    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        ImageIO.write(picture, "png", file.toFile());
    }
}
