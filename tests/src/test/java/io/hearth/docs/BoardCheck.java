// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import io.hearth.docs.GrafanaBoard.Panel;
import io.hearth.docs.GrafanaBoard.Target;
import io.hearth.docs.GrafanaBoard.Variable;
import io.hearth.docs.PrometheusServer.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A dashboard beside what a Prometheus has collected: what is wrong with its panels, and how they look. A line may have no number at times,
 * as a ratio of reads while nothing is read; it needs one at some time. Not thread-safe.
 */
final class BoardCheck {

    /** Panels that may have nothing to show, and why. */
    private static final Map<String, String> MAY_BE_EMPTY =
            Map.of("Probes of each server not answered", "every probe may have been answered");

    private static final String HOST_NAME = "hostname";

    private final PrometheusServer prometheus;
    private final List<String> hosts;
    private final List<String> problems = new ArrayList<>();
    private final Map<Panel, Map<String, Series>> shownByPanel = new LinkedHashMap<>();
    private final BoardSheet sheet;

    /**
     * Puts everything to that Prometheus.
     *
     * @param hosts what is shown by host is to have a line of each of these
     */
    BoardCheck(GrafanaBoard board, PrometheusServer prometheus, List<String> hosts)
            throws IOException, InterruptedException {
        this.prometheus = prometheus;
        this.hosts = hosts;
        sheet = new BoardSheet(board);
        for (Variable variable : board.variables()) {
            if (prometheus.values(variable).isEmpty()) {
                problems.add("No value: " + variable);
            }
        }
        for (Panel panel : board.panels()) {
            shownByPanel.put(panel, look(panel));
        }
    }

    /** One line each. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Writes a picture of the board, a PNG file. */
    void draw(Path file) throws IOException {
        shownByPanel.forEach(sheet::draw);
        sheet.write(file);
    }

    private Map<String, Series> look(Panel panel) throws InterruptedException {
        Map<String, Series> shown = new LinkedHashMap<>();
        for (Target target : panel.targets()) {
            String what = panel.title() + ": " + target.legend();
            try {
                List<Series> all = prometheus.drawn(target.expression());
                problem(panel, target, all).ifPresent(problem -> problems.add(what + " " + problem));
                withNumbers(all).forEach(series -> add(shown, target.name(series.labels()), series.finite()));
            } catch (IOException refused) {
                problems.add(what + " is refused: " + refused.getMessage());
            }
        }
        return shown;
    }

    /** Two lines that are called alike are both shown. */
    private static void add(Map<String, Series> shown, String name, Series series) {
        shown.put(shown.containsKey(name) ? name + " (" + shown.size() + ")" : name, series);
    }

    private Optional<String> problem(Panel panel, Target target, List<Series> all) {
        List<Series> shown = withNumbers(all);
        if (shown.isEmpty() && MAY_BE_EMPTY.containsKey(panel.title())) {
            return Optional.empty();
        }
        if (shown.isEmpty()) {
            return Optional.of(
                    all.isEmpty()
                            ? "has no line"
                            : "has no number: " + all.get(0).labels());
        }
        for (Series series : shown) {
            if (!series.labels().keySet().containsAll(target.labels())) {
                return Optional.of("lacks one of " + target.labels() + ": " + series.labels());
            }
            if (Arrays.stream(series.values()).anyMatch(Double::isInfinite)) {
                return Optional.of("is infinite at times: " + series.labels());
            }
        }
        Set<String> shownHosts = shown.stream()
                .map(series -> series.labels().getOrDefault(HOST_NAME, ""))
                .collect(Collectors.toCollection(TreeSet::new));
        return target.labels().contains(HOST_NAME) && !shownHosts.containsAll(hosts)
                ? Optional.of("has lines of these hosts alone: " + shownHosts)
                : Optional.empty();
    }

    private static List<Series> withNumbers(List<Series> all) {
        return all.stream()
                .filter(series -> series.finite().values().length > 0)
                .toList();
    }
}
