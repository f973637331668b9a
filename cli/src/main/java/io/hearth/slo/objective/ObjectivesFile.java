// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import io.hearth.common.config.LineFile;
import io.hearth.common.config.LineFile.LineException;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.store.Limits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objectives of a text file, one a line, and what is wrong with lines that can't be used. Empty lines and what follows a {@code #} are
 * comments. Immutable.
 *
 * <pre>
 * 99.95 % of gets under 50 ms, 30 days
 * orders: 99.9 % of row gets under 0.2 s, 7 days
 * </pre>
 *
 * <p>An objective without a name is called by what it says: {@code gets-50ms-30d}. A line that can't be used is left out, and the others
 * hold.
 *
 * @param objectives in the order of the file
 * @param problems one line for each that can't be used
 */
public record ObjectivesFile(List<Objective> objectives, List<String> problems) {

    private static final int MOST_OBJECTIVES = 50;
    private static final int MOST_DAYS = 35;
    private static final long MOST_LIMIT_MICROS = 60_000_000;
    private static final int MOST_DECIMALS = 6;

    private static final Map<ProbeKind, String> NOUNS = new EnumMap<>(Map.of(
            ProbeKind.GET, "gets",
            ProbeKind.PUT, "puts",
            ProbeKind.ROW_GET, "row gets",
            ProbeKind.HDFS_WRITE, "hdfs writes",
            ProbeKind.HDFS_READ, "hdfs reads",
            ProbeKind.NAMENODE, "namenode calls",
            ProbeKind.REGISTRY, "registry reads"));

    private static final Pattern LINE = Pattern.compile(
            "(?:([^:%]*):)?\\s*([0-9]{1,9}(?:[.][0-9]{1,9})?)\\s*%\\s*of\\s+"
                    + "(\\S+(?:\\s+\\S+)?)\\s+under\\s+([0-9]{1,9}(?:[.][0-9]{1,9})?)\\s*(us|ms|s)\\s*,\\s*([0-9]{1,9})\\s*days?");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

    /** Copies the lists. */
    public ObjectivesFile {
        objectives = List.copyOf(objectives);
        problems = List.copyOf(problems);
    }

    /**
     * Reads the text of a file.
     *
     * @param fileName to be named in problems
     */
    public static ObjectivesFile parse(String text, String fileName) {
        List<Objective> objectives = new ArrayList<>();
        Map<String, Integer> lineByName = new HashMap<>();
        List<String> problems = LineFile.read(text, fileName, (line, number) -> {
            Objective objective = objective(line, lineByName);
            if (objectives.size() == MOST_OBJECTIVES) {
                throw new LineException("there are more than " + MOST_OBJECTIVES + " objectives");
            }
            objectives.add(objective);
            lineByName.put(objective.name(), number);
        });
        return new ObjectivesFile(objectives, problems);
    }

    private static Objective objective(String line, Map<String, Integer> lineByName) throws LineException {
        Matcher parts = LINE.matcher(line.toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            throw new LineException(
                    "'" + line + "' can't be used: it must be like '99.95 % of gets under 50 ms, 30 days'"
                            + " or 'name: 99.95 % of gets under 50 ms, 30 days'");
        }
        ProbeKind kind = kind(parts.group(3).replaceAll("\\s+", " "));
        BigDecimal percent = percent(parts.group(2));
        long limitMicros = limitMicros(parts.group(4), parts.group(5));
        int days = days(parts.group(6));
        Objective unnamed = new Objective("", kind, percent, limitMicros, days);
        String name = parts.group(1) == null
                ? (noun(kind) + "-" + unnamed.limitText().replace(" ", "").replace('.', '-') + "-" + days + "d")
                        .replace(' ', '-')
                : parts.group(1).strip();
        if (!NAME.matcher(name).matches()) {
            throw new LineException(
                    "'" + name + "' can't be a name: it must be up to 40 small letters, digits and dashes,"
                            + " and begin with a letter");
        }
        if (lineByName.containsKey(name)) {
            throw new LineException("line " + lineByName.get(name) + " has the name '" + name + "' already");
        }
        return new Objective(name, kind, percent, limitMicros, days);
    }

    private static ProbeKind kind(String noun) throws LineException {
        Optional<ProbeKind> kind = Stream.of(ProbeKind.values())
                .filter(one -> noun(one).equals(noun))
                .findFirst();
        return kind.orElseThrow(() -> new LineException("'" + noun + "' are not probed: it must be one of "
                + Stream.of(ProbeKind.values()).map(ObjectivesFile::noun).collect(Collectors.joining(", "))));
    }

    private static BigDecimal percent(String text) throws LineException {
        BigDecimal percent = new BigDecimal(text).stripTrailingZeros();
        if (percent.signum() <= 0
                || percent.compareTo(BigDecimal.valueOf(100)) >= 0
                || percent.scale() > MOST_DECIMALS) {
            throw new LineException(text + " % can't be promised: it must be more than 0 and less than 100, with up to "
                    + MOST_DECIMALS + " decimals");
        }
        return percent.scale() < 0 ? percent.setScale(0) : percent;
    }

    private static long limitMicros(String text, String unit) throws LineException {
        int places = unit.equals("s") ? 6 : unit.equals("ms") ? 3 : 0;
        BigDecimal micros = new BigDecimal(text).movePointRight(places).stripTrailingZeros();
        if (micros.signum() <= 0 || micros.scale() > 0 || micros.compareTo(BigDecimal.valueOf(MOST_LIMIT_MICROS)) > 0) {
            throw new LineException(text + " " + unit + " can't be a limit: it must be 1 us to 60 s, in whole us");
        }
        return micros.longValueExact();
    }

    private static int days(String text) throws LineException {
        int days = Integer.parseInt(text);
        if (days < 1 || days > MOST_DAYS) {
            throw new LineException(text + " days can't be used: it must be 1 to " + MOST_DAYS
                    + ", since counts are kept for " + MOST_DAYS + " days");
        }
        return days;
    }

    /** What a kind is called in the file. */
    static String noun(ProbeKind kind) {
        return NOUNS.getOrDefault(kind, kind.toString());
    }

    /** The limits of all objectives, to count good probes by. */
    public Limits limits() {
        return new Limits(objectives.stream()
                .collect(Collectors.groupingBy(
                        Objective::kind, Collectors.mapping(Objective::limitMicros, Collectors.toList()))));
    }
}
