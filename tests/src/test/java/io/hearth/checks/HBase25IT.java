// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.docs.HearthScript;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same sources, compiled against HBase 2.5 and run in clusters of it. The release checks run its unit tests. */
@Tag("release-checks")
@Tag("large")
class HBase25IT {

    private static final int CHECK_MINUTES = 5;

    /** What the run of Maven names, and one of those of HBase's own that StockBalancerTest runs: a name that is none runs nothing. */
    private static final List<String> TESTS = List.of(
            "BalancerIntegrationPointsTest",
            "HealerIntegrationPointsTest",
            "HBaseBalancerCompatTest",
            "TestStochasticLoadBalancerSmallCluster",
            "InstalledLibrariesTest",
            "BalancerIT",
            "HealerIT",
            "BalancerStateIT",
            "AdminCommandsIT");

    @Test
    void bothJarsWorkInClustersOfItAndThoseForHBase26FindAllThatTheyUse(@TempDir Path folder) throws Exception {
        MavenRun.runUnchecked(
                "hbase-2.5",
                30,
                "-Phbase-2.5",
                "verify",
                "-pl",
                "tests",
                "-am",
                "-Dtest=*IntegrationPointsTest,HBaseBalancerCompatTest,StockBalancerTest,InstalledLibrariesTest",
                "-Dsurefire.failIfNoSpecifiedTests=false",
                // A skew is evened, a crash is healed, another master takes over, and an operator's calls.
                "-Dit.test=BalancerIT#allLoad*,HealerIT,BalancerStateIT,AdminCommandsIT",
                "-Dfailsafe.failIfNoSpecifiedTests=false");

        String output = MavenRun.output("hbase-2.5");
        assertThat(TESTS).allSatisfy(test -> assertThat(output)
                .as(test)
                .containsPattern("Tests run: [1-9]\\d*, Failures: 0, Errors: 0, .* in \\S+\\." + test + "\\R"));

        Path lib = Files.createDirectory(folder.resolve("lib"));
        String classPath = Files.readString(HearthScript.ROOT.resolve("bench/target/hbase-2.5/classpath"));
        for (String entry : classPath.strip().split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (entry.endsWith(".jar") && !jar.getFileName().toString().startsWith("hearth-")) {
                Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
            }
        }
        Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");

        assertThat(HearthScript.run(
                                folder,
                                Map.of(),
                                CHECK_MINUTES,
                                "install",
                                "--check",
                                "--config=" + folder,
                                "--hbase-lib=" + lib)
                        .output())
                .containsPattern(
                        "HBase 2\\.5\\.13-hadoop3 and Hadoop \\S+ have all [0-9,]+ classes, methods and fields that Hearth"
                                + " uses\\. It was built for HBase 2\\.6\\.");
    }
}
