package io.hearth.sim.scenario;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A form that a line of a section may have, and what it means. Immutable.
 *
 * @param form how it is told to a person: capitals stand for what may vary
 * @param pattern what it looks like, with named groups
 */
record Sentence(String form, Pattern pattern, Meaning meaning) {

    /** What a matching line does. */
    interface Meaning {
        void take(Words words) throws ScenarioProblem;
    }

    static Sentence of(String form, String pattern, Meaning meaning) {
        return new Sentence(form, Pattern.compile(expanded(pattern)), meaning);
    }

    private static String expanded(String pattern) {
        return pattern.replace("<time>", "(" + Times.PATTERN + ")")
                .replace("<from>", "(?<from>" + Times.PATTERN + ")")
                .replace("<to>", "(?<to>" + Times.PATTERN + ")")
                .replace("<at>", "(?<at>" + Times.PATTERN + ")")
                .replace("<within>", "(?<within>" + Times.PATTERN + ")")
                .replace("<n>", "(?<n>[\\d,]+)")
                .replace("<decimal>", "(?<decimal>[\\d,]+(?:\\.\\d+)?)")
                .replace("<table>", "(?<table>[a-z][a-z0-9_]*)")
                .replace("<region>", "(?<region>\\d+)")
                .replace("<server>", "(?<server>\\d+)")
                .replace("<what>", "(?<what>reads|writes|store size)");
    }

    /** The words of one line that has this form. */
    static final class Words {

        private final Matcher matcher;

        Words(Matcher matcher) {
            this.matcher = matcher;
        }

        boolean has(String group) {
            return matcher.group(group) != null;
        }

        String text(String group) {
            return matcher.group(group);
        }

        int count(String group) {
            return Integer.parseInt(matcher.group(group).replace(",", ""));
        }

        double decimal(String group) {
            return Double.parseDouble(matcher.group(group).replace(",", ""));
        }

        long millis(String group) {
            return Times.millis(matcher.group(group));
        }

        String line() {
            return matcher.group();
        }
    }
}
