// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The selectors of a PromQL expression and which labels it keeps, found by its tokens: a name that no parenthesis follows and that is
 * neither a word of the language nor in a list of labels is a metric. Not a parser: whether the expression means anything is Prometheus'
 * to say.
 */
final class PromExpression {

    /** A metric and the values that its labels must have, as regular expressions. Immutable. */
    record Selector(String metric, Map<String, String> patternByLabel) {

        Selector without(String label) {
            Map<String, String> others = new LinkedHashMap<>(patternByLabel);
            others.remove(label);
            return new Selector(metric, Map.copyOf(others));
        }
    }

    /**
     * A part of an expression by which series become one or are paired. Immutable.
     *
     * @param word what is before its list of labels, such as {@code by}; without a list the function's name
     */
    record Grouping(String word, Set<String> labels) {

        /** Whether series that differ in this label stay apart. */
        boolean keeps(String label) {
            return switch (word) {
                case "by", "on" -> labels.contains(label);
                case "without", "ignoring" -> !labels.contains(label);
                default -> false;
            };
        }
    }

    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<range>\\[[^\\]]*\\])" // [5m], [$__rate_interval]
                    + "|(?<number>[0-9][0-9.]*(?:[a-z]+)?)" // 1.5, 1h
                    + "|(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)"
                    + "|(?<labels>\\{[^}]*\\})"
                    + "|(?<sign>==|!=|>=|<=|[-+*/%^<>(),]))\\s*");
    private static final Pattern MATCHER =
            Pattern.compile("\\s*(?<label>[a-zA-Z_]\\w*)(?<how>=~|=|!=|!~)\"(?<value>[^\"]*)\"\\s*(?:,|$)");
    private static final Set<String> BEFORE_LABELS =
            Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> AGGREGATIONS =
            Set.of("sum avg min max count group stddev stdvar topk bottomk quantile count_values".split(" "));

    /** Functions whose result has none of the labels of their series. */
    private static final Set<String> WITHOUT_LABELS = Set.of("absent", "absent_over_time", "scalar");

    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "atan2", "start", "end");

    private final String text;
    private final List<Selector> selectors = new ArrayList<>();
    private final List<Grouping> groupings = new ArrayList<>();

    private PromExpression(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException if there is something in it that no expression of ours has */
    static List<Selector> selectors(String text) {
        PromExpression expression = new PromExpression(text);
        expression.read();
        return expression.selectors;
    }

    /** @throws IllegalArgumentException as {@link #selectors} */
    static List<Grouping> groupings(String text) {
        PromExpression expression = new PromExpression(text);
        expression.read();
        return expression.groupings;
    }

    private void read() {
        int at = 0;
        while (at < text.length()) {
            Matcher token = next(at);
            at = token.end();
            String name = token.group("name");
            if (name == null) {
                // A range, a number or a sign; labels without a metric before them select anything.
                check(token.group("labels") == null, at);
            } else if (BEFORE_LABELS.contains(name)) {
                at = group(name, at);
            } else if (!WORDS.contains(name)) {
                at = isCall(at) ? call(name, at) : select(name, at);
            }
        }
    }

    private Matcher next(int at) {
        Matcher token = TOKEN.matcher(text).region(at, text.length());
        check(token.lookingAt(), at);
        return token;
    }

    /** A function, or an aggregation with its labels before its argument. */
    private boolean isCall(int at) {
        if (at == text.length()) {
            return false;
        }
        return "(".equals(next(at).group("sign")) || isList(at);
    }

    /** Of an aggregation, before or after its argument. */
    private boolean isList(int at) {
        if (at == text.length()) {
            return false;
        }
        String name = next(at).group("name");
        return "by".equals(name) || "without".equals(name);
    }

    private int group(String word, int at) {
        check(text.startsWith("(", at) && text.indexOf(')', at) > 0, at);
        int end = text.indexOf(')', at);
        if (!word.startsWith("group_")) { // these add labels
            groupings.add(new Grouping(
                    word,
                    Stream.of(text.substring(at + 1, end).split(","))
                            .map(String::strip)
                            .collect(Collectors.toUnmodifiableSet())));
        }
        return end + 1;
    }

    private int call(String name, int at) {
        boolean isOfAll = AGGREGATIONS.contains(name) && !isList(at) && !isList(afterArguments(at));
        if (isOfAll || WITHOUT_LABELS.contains(name)) {
            groupings.add(new Grouping(name, Set.of()));
        }
        return at;
    }

    private int afterArguments(int from) {
        int at = from;
        int open = 0;
        do {
            Matcher token = next(at);
            at = token.end();
            if ("(".equals(token.group("sign"))) {
                open++;
            } else if (")".equals(token.group("sign"))) {
                open--;
            }
        } while (open > 0);
        return at;
    }

    private int select(String metric, int at) {
        Matcher token = TOKEN.matcher(text).region(at, text.length());
        boolean hasLabels = token.lookingAt() && token.group("labels") != null;
        selectors.add(new Selector(metric, hasLabels ? patterns(token.group("labels")) : Map.of()));
        return hasLabels ? token.end() : at;
    }

    private Map<String, String> patterns(String braced) {
        Map<String, String> patternByLabel = new LinkedHashMap<>();
        String inside = braced.substring(1, braced.length() - 1);
        Matcher matcher = MATCHER.matcher(inside);
        int at = 0;
        while (matcher.find(at) && matcher.start() == at) {
            check(!matcher.group("how").startsWith("!"), at);
            String value = matcher.group("value");
            patternByLabel.put(matcher.group("label"), matcher.group("how").equals("=") ? Pattern.quote(value) : value);
            at = matcher.end();
        }
        check(at == inside.length(), at);
        return Map.copyOf(patternByLabel);
    }

    private void check(boolean holds, int at) {
        if (!holds) {
            throw new IllegalArgumentException("Not understood at " + at + ": " + text);
        }
    }
}
