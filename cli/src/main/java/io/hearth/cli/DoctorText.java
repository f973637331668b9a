// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.view.Table;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Findings as a person reads them in a terminal. Pure. */
final class DoctorText {

    private static final int WIDTH = 100;
    private static final int PLACES_SHOWN = 4;
    private static final String INDENT = "   ";

    private DoctorText() {}

    static List<String> lines(ProbedCluster examined, List<Finding> findings) {
        List<String> lines = new ArrayList<>();
        lines.add("Examined " + examined(examined) + ".");
        for (Finding finding : findings) {
            lines.add("");
            add(finding, lines);
        }
        lines.add("");
        lines.add(summary(findings));
        return lines;
    }

    /** A row for each finding, without what is to be done. */
    static Table table(List<Finding> findings) {
        return new Table(
                Stream.of("severity", "check", "where", "what", "cost", "source")
                        .map(name -> Table.Column.ofText(name, name))
                        .toList(),
                findings.stream()
                        .map(finding -> Stream.of(
                                        finding.severity().toString(),
                                        finding.check(),
                                        String.join("; ", finding.where()),
                                        finding.what(),
                                        finding.cost(),
                                        finding.source())
                                .map(Table.Cell::of)
                                .toList())
                        .toList());
    }

    /** What was checked, in one line. */
    static String examined(ProbedCluster examined) {
        return "HBase " + examined.master().version() + " on HMaster "
                + examined.master().host() + ", "
                + examined.regionServers().size() + " RegionServers, "
                + examined.dataNodes()
                        .ifKnown()
                        .map(nodes -> nodes.size() + " DataNodes")
                        .orElse("DataNodes that can't be listed")
                + ", as " + examined.user();
    }

    private static void add(Finding finding, List<String> lines) {
        lines.add(finding.severity() + "  " + finding.check() + places(finding.where()));
        wrapped("", finding.what(), lines);
        wrapped(finding.severity() == Severity.UNKNOWN ? "Hides:  " : "Costs:  ", finding.cost(), lines);
        String lastFile = "";
        for (Fix fix : finding.fixes()) {
            if (fix instanceof Fix.ConfigLine line) {
                String file = line.role().file() + " of the " + line.role().word() + "s, then "
                        + line.effect().words();
                if (!file.equals(lastFile)) {
                    lines.add(INDENT + "Change: " + file);
                }
                lastFile = file;
                lines.add(INDENT + "        " + line.xml());
            } else if (fix instanceof Fix.Command command) {
                lines.add(INDENT + "Run:    " + command.command());
            } else if (fix instanceof Fix.Advice advice) {
                wrapped("Do:     ", advice.words() + ".", lines);
            }
        }
        wrapped("Source: ", finding.source(), lines);
    }

    private static String places(List<String> where) {
        if (where.isEmpty()) {
            return "";
        }
        String first = where.stream().limit(PLACES_SHOWN).collect(Collectors.joining(", "));
        return "  " + first + (where.size() > PLACES_SHOWN ? " and " + (where.size() - PLACES_SHOWN) + " more" : "");
    }

    /** Words in lines of a terminal's width, under one another behind their label. */
    private static void wrapped(String label, String words, List<String> lines) {
        StringBuilder line = new StringBuilder(INDENT + label);
        int start = line.length();
        for (String word : Arrays.asList(words.split(" "))) {
            if (line.length() > start && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(start));
            }
            line.append(line.length() > start ? " " : "").append(word);
        }
        lines.add(line.toString());
    }

    private static String summary(List<Finding> findings) {
        long faults = count(findings, Severity.ERROR);
        long costs = count(findings, Severity.WARNING);
        long unknown = count(findings, Severity.UNKNOWN);
        return (faults + costs == 0
                        ? "Nothing is to be mended"
                        : faults
                                + (faults == 1 ? " fault, " : " faults, ")
                                + costs
                                + (costs == 1
                                        ? " thing that costs more than it has to"
                                        : " things that cost more than they have to"))
                + (unknown == 0 ? "." : ", and " + unknown + " could not be read.");
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
