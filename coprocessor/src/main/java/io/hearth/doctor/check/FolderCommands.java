// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
import java.util.ArrayList;
import java.util.List;

/** One command for each of some folders, as it can be pasted. Stateless. */
final class FolderCommands {

    private static final int SHOWN = 10;

    private FolderCommands() {}

    /** This command with the path of each folder behind it, and for those beyond {@value #SHOWN} that it is the same. */
    static List<Fix> of(String command, List<ProbedDirectory> directories) {
        List<Fix> fixes = new ArrayList<>();
        directories.stream()
                .limit(SHOWN)
                .forEach(directory -> fixes.add(new Command(command + quoted(directory.path()))));
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
