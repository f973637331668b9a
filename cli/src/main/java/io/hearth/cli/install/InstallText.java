// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import io.hearth.cli.install.InstallCheck.Change;
import io.hearth.cli.view.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an {@link InstallCheck} found, for a terminal: before and after of each property, then what is pasted. Pure. */
public final class InstallText {

    private InstallText() {}

    /** The lines. */
    public static List<String> of(InstallCheck check) {
        List<String> lines = new ArrayList<>();
        for (Change change : check.changes()) {
            lines.add(change.key() + " in " + change.file() + (change.optional() ? " (optional)" : "")
                    + (change.isDone() ? ": as it should be" : ""));
            lines.add("  before  " + change.now().orElse("(not set)"));
            if (!change.isDone()) {
                lines.add("  after   " + change.merged());
            }
            if (!change.lost().isEmpty()) {
                lines.add("  A value of Hearth's alone would lose "
                        + change.lost().stream().map(InstallText::shortName).collect(Collectors.joining(", ")) + ".");
            }
            change.note().filter(note -> !change.isDone()).ifPresent(note -> lines.add("  " + note));
        }
        List<Change> open = check.changes().stream()
                .filter(change -> !change.isDone() && !change.optional())
                .toList();
        if (!open.isEmpty()) {
            lines.add("");
            lines.add("In the place of properties of the same names in hbase-site.xml of every HMaster:");
            open.forEach(change -> change.xml().forEach(line -> lines.add("  " + line)));
        }
        lines.add("");
        if (check.isClear()) {
            lines.add(
                    open.isEmpty()
                            ? "Nothing is left to do. Nothing was changed."
                            : "Nothing would be lost so. Nothing was changed.");
        } else {
            lines.add("To be mended or decided first:");
            check.problems().forEach(problem -> lines.add("  " + problem));
            lines.add("Nothing was changed.");
        }
        return lines;
    }

    /** A row for each property. */
    public static Table table(InstallCheck check) {
        return new Table(
                Stream.of("file", "key", "before", "after", "done", "optional", "lostByHearthAlone")
                        .map(name -> Table.Column.ofText(name, name))
                        .toList(),
                check.changes().stream()
                        .map(change -> Stream.of(
                                        change.file(),
                                        change.key(),
                                        change.now().orElse(""),
                                        change.merged(),
                                        String.valueOf(change.isDone()),
                                        String.valueOf(change.optional()),
                                        String.join(",", change.lost()))
                                .map(Table.Cell::of)
                                .toList())
                        .toList());
    }

    private static String shortName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
