// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import io.hearth.checks.MavenRun;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;

/**
 * One build of Hearth as an operator has it: its jars and its command line, without the source. Immutable.
 *
 * @param commit what it was built from, as its jars say
 * @param home the folder with {@code bin} and {@code lib}
 * @param hbaseHome HBase, whose class path the command line takes
 */
record HearthBuild(String commit, Path home, Path hbaseHome) {

    static final List<String> MASTER_JARS = List.of("hearth-balancer.jar", "hearth-coprocessor.jar");
    static final String DATANODE_JAR = "hearth-datanode.jar";

    private static final String CLI_JAR = "hearth-cli.jar";
    /** Names the commit or tag to upgrade from, instead of the release before: the commit before may differ by a document alone. */
    private static final String FROM = "hearth.upgrade.from";

    private static final int BUILD_MINUTES = 30;
    private static final int COMMAND_MINUTES = 5;

    /** The one of this tree. */
    static HearthBuild ofThisTree(Path home, Path hbaseHome) throws IOException {
        return of(HearthScript.ROOT, home, hbaseHome);
    }

    /**
     * The release before this one: what the system property {@value #FROM} names; else of the newest tag that came before the commit at
     * hand, or of the commit before where there is no tag.
     *
     * @throws IOException if Git does not have it
     */
    static String commitBefore() throws IOException, InterruptedException {
        SystemCommand.Result tag = SystemCommand.tryRun(
                "git", "-C", HearthScript.ROOT.toString(), "describe", "--tags", "--abbrev=0", "HEAD~1");
        String name = System.getProperty(FROM, tag.succeeded() ? tag.output().strip() : "HEAD~1");
        return SystemCommand.run("git", "-C", HearthScript.ROOT.toString(), "rev-parse", "--verify", name + "^{commit}")
                .strip();
    }

    /** Whether Git has only the last commits, as in a shallow clone. */
    static boolean isHistoryCutOff() throws IOException, InterruptedException {
        return SystemCommand.run("git", "-C", HearthScript.ROOT.toString(), "rev-parse", "--is-shallow-repository")
                .strip()
                .equals("true");
    }

    /** The one of that commit, built in this folder. */
    static HearthBuild ofCommit(String commit, Path sources, Path home, Path hbaseHome)
            throws IOException, InterruptedException {
        Path archive = Files.createDirectories(sources).resolve("sources.tar");
        SystemCommand.run("git", "-C", HearthScript.ROOT.toString(), "archive", "--output", archive.toString(), commit);
        SystemCommand.run("tar", "-xf", archive.toString(), "-C", sources.toString());
        MavenRun.runIn(
                sources,
                Map.of(),
                "build-before",
                BUILD_MINUTES,
                "-q",
                "package",
                "-DskipTests",
                "-pl",
                "balancer,coprocessor,datanode,cli",
                "-am",
                "-Dhearth.commit=" + commit,
                "-Dspotless.check.skip",
                "-Derror-prone.also=-XepDisableAllChecks");
        return of(sources, home, hbaseHome);
    }

    private static HearthBuild of(Path root, Path home, Path hbaseHome) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib"));
        Files.copy(root.resolve("bin/hearth"), home.resolve("bin/hearth"));
        for (String module : List.of("balancer", "coprocessor", "datanode", "cli")) {
            String jar = "hearth-" + module + ".jar";
            Files.copy(root.resolve(module + "/target/" + jar), home.resolve("lib/" + jar));
        }
        try (JarFile cli = new JarFile(home.resolve("lib/" + CLI_JAR).toFile())) {
            return new HearthBuild(cli.getManifest().getMainAttributes().getValue("Hearth-Commit"), home, hbaseHome);
        }
    }

    Path jar(String name) {
        return home.resolve("lib").resolve(name);
    }

    /** Runs a command of its command line on a cluster. */
    HearthScript.Result run(ScriptedCluster cluster, String... arguments) throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>();
        environment.put("TMPDIR", cluster.temp().toString());
        environment.put("HBASE_HOME", hbaseHome.toString());
        environment.put("HBASE_CONF_DIR", cluster.conf().toString());
        environment.put(
                "HEARTH_OPTS",
                "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djdk.net.hosts.file="
                        + cluster.conf().resolve("hosts"));
        return HearthScript.runFrom(home, cluster.temp(), environment, COMMAND_MINUTES, arguments);
    }
}
