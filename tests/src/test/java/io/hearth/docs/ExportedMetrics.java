// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import io.hearth.docs.PromExpression.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What servers print at {@code /prometheus}: which metrics, with which labels. Values do not matter. */
final class ExportedMetrics {

    private static final Pattern LINE =
            Pattern.compile("(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)\\{(?<labels>.*)\\} (?<value>\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"([^\"]*)\"");

    private final Map<String, List<Map<String, String>>> labelsByName = new TreeMap<>();

    /** @param texts the answers of one server or more */
    static ExportedMetrics of(String... texts) {
        ExportedMetrics exported = new ExportedMetrics();
        for (String text : texts) {
            text.lines().filter(line -> !line.startsWith("#")).forEach(exported::add);
        }
        return exported;
    }

    private void add(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("No line of /prometheus: " + line);
        }
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(matcher.group("labels"));
        while (label.find()) {
            labels.put(label.group(1), label.group(2));
        }
        labelsByName
                .computeIfAbsent(matcher.group("name"), name -> new ArrayList<>())
                .add(labels);
    }

    Set<String> names() {
        return labelsByName.keySet();
    }

    /** Whether a metric with such labels was there. */
    boolean has(Selector selector) {
        return labelsByName.getOrDefault(selector.metric(), List.of()).stream()
                .anyMatch(labels -> selector.patternByLabel().entrySet().stream()
                        .allMatch(wanted ->
                                labels.getOrDefault(wanted.getKey(), "").matches(wanted.getValue())));
    }
}
