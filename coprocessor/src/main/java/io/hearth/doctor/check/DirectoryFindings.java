// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A finding about some of HBase's folders in HDFS, with a command for each that can be pasted. Stateless. */
final class DirectoryFindings {

    private static final int SHOWN = 10;

    private DirectoryFindings() {}

    /**
     * The finding about those that have something; none where no folder has.
     *
     * @param command what is to be run, with a space and the path of each folder behind it
     * @param property what a folder has, which stands behind its path; empty if it has not
     */
    static List<Finding> of(
            FindingTemplate template,
            String command,
            List<ProbedDirectory> directories,
            Function<ProbedDirectory, String> property,
            String what) {
        List<ProbedDirectory> having = directories.stream()
                .filter(directory -> !property.apply(directory).isEmpty())
                .toList();
        return template.withFixes(commands(command, having))
                .foundIfAny(
                        having.stream()
                                .map(directory -> directory.path() + " (" + property.apply(directory) + ")")
                                .toList(),
                        what);
    }

    private static List<Fix> commands(String command, List<ProbedDirectory> directories) {
        List<Fix> fixes = new ArrayList<>();
        directories.stream()
                .limit(SHOWN)
                .forEach(directory -> fixes.add(new Command(command + " " + quoted(directory.path()))));
        if (directories.size() > SHOWN) {
            fixes.add(new Advice("The same for the other " + (directories.size() - SHOWN) + " folders"));
        }
        return fixes;
    }

    /** For a shell: a path that has anything else than a name of a table or region may have goes in quotes. */
    private static String quoted(String path) {
        return path.matches("[A-Za-z0-9_./:=-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
    }
}
