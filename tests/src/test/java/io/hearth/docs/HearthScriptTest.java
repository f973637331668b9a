// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HearthScriptTest {

    private static final String APT_LINE =
            "On Debian or Ubuntu this installs both: sudo apt-get install -y openjdk-17-jdk-headless maven";

    @TempDir
    private Path folder;

    private HearthScript.Result run(Map<String, String> environment, String... arguments) throws Exception {
        return HearthScript.run(folder, environment, 2, arguments);
    }

    @Test
    void helpNamesTheCommandsFromAnyFolder() throws Exception {
        HearthScript.Result help = run(Map.of(), "help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.output())
                .contains("Usage: bin/hearth <command>")
                .contains("demo")
                .contains(APT_LINE);
        assertThat(run(Map.of()).output()).isEqualTo(help.output());
    }

    @Test
    void versionIsThatOfThePom() throws Exception {
        HearthScript.Result version = run(Map.of(), "version");

        assertThat(version.exitCode()).isZero();
        assertThat(version.output())
                .as("one line where nothing is packaged")
                .matches("hearth \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n(commit .*\nbuilt for .*\nfound .*\n)?");
    }

    /** The shell of somebody who exports CDPATH finds other folders of the same name, and prints where it went. */
    @Test
    void theRootIsThatOfTheScriptWhateverCdpathSays() throws Exception {
        HearthScript.Result version =
                HearthScript.runFrom(Path.of(""), HearthScript.ROOT, Map.of("CDPATH", ".:/tmp"), 2, "version");

        assertThat(version.exitCode()).as(version.output()).isZero();
        assertThat(version.output()).isEqualTo(run(Map.of(), "version").output());
    }

    @Test
    void anUnknownCommandIsOneLine() throws Exception {
        HearthScript.Result unknown = run(Map.of(), "dmeo");

        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.output())
                .isEqualTo("hearth: unknown command 'dmeo'; bin/hearth help names those that there are\n");
    }

    @Test
    void aVerbWithoutItsThingIsToldWhereItIs() throws Exception {
        assertThat(run(Map.of(), "plan").output())
                .isEqualTo("hearth: unknown command 'plan'; bin/hearth balancer --help says how it is done\n");
        assertThat(run(Map.of(), "pause").output())
                .isEqualTo("hearth: unknown command 'pause'; bin/hearth healer --help says how it is done\n");
    }

    @Test
    void aMissingJdkIsOneLineWithTheRemedy() throws Exception {
        HearthScript.Result missing = run(onlyTheseTools("dirname", "readlink", "bash"), "demo");

        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.output())
                .isEqualTo(
                        "hearth: java is missing (set JAVA_HOME, or put it on the PATH): a JDK 17 or later is needed. "
                                + APT_LINE + "\n");
    }

    @Test
    void anOldJdkIsOneLineWithTheRemedy() throws Exception {
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed");
        tool("java", "echo '    java.specification.version = 11' >&2");

        HearthScript.Result old = run(tools, "demo");

        assertThat(old.exitCode()).isEqualTo(2);
        assertThat(old.output())
                .isEqualTo(
                        "hearth: java is version 11 (" + folder.resolve("tools").resolve("java")
                                + "): a JDK 17 or later is needed. " + APT_LINE + "\n");
    }

    @Test
    void aRuntimeWithoutACompilerIsOneLineWithTheRemedy() throws Exception {
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed");
        tool("java", "echo '    java.specification.version = 17' >&2");

        HearthScript.Result runtime = run(tools, "demo");

        assertThat(runtime.exitCode()).isEqualTo(2);
        assertThat(runtime.output()).startsWith("hearth: javac is missing: ").endsWith(APT_LINE + "\n");
    }

    @Test
    void withoutTheSourceTheClassPathIsTheHbaseCommands() throws Exception {
        Path installed = install();
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls");
        tool(
                "java",
                "if [[ $1 == -XshowSettings* ]]; then echo '    java.specification.version = 17' >&2; else echo \"$@\"; fi");
        tool("hbase", "echo /etc/hbase/conf:/opt/hbase/lib/all.jar");

        HearthScript.Result heal = HearthScript.runFrom(installed, folder, tools, 1, "healer", "run", "--dry-run");

        assertThat(heal.exitCode()).as(heal.output()).isZero();
        assertThat(heal.output())
                .contains("-cp " + installed.resolve("lib/cli/hearth-cli.jar") + ":"
                        + installed.resolve("lib").resolve("hearth-balancer.jar") + ":"
                        + installed.resolve("lib").resolve("hearth-coprocessor.jar")
                        + ":/etc/hbase/conf:/opt/hbase/lib/all.jar io.hearth.cli.Main healer run --dry-run")
                .contains("-Dhbase.root.logger=WARN,console");
    }

    @ParameterizedTest
    @CsvSource({"DEBUG, 'DEBUG,console'", "'INFO,RFA', 'INFO,RFA'"})
    void theLevelOfTheLogMayBeNamedAlone(String named, String given) throws Exception {
        Path installed = install();
        Map<String, String> tools = new HashMap<>(onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls"));
        tools.put("HEARTH_ROOT_LOGGER", named);
        tool(
                "java",
                "if [[ $1 == -XshowSettings* ]]; then echo '    java.specification.version = 17' >&2; else echo \"$@\"; fi");
        tool("hbase", "echo /opt/hbase/lib/all.jar");

        assertThat(HearthScript.runFrom(installed, folder, tools, 1, "status").output())
                .contains("-Dhbase.root.logger=" + given + " ");
    }

    /** systemd knows neither JAVA_HOME nor what else a profile sets; the hbase command ends where it does not. */
    @Test
    void theHbaseCommandGetsTheJavaThatWasFound() throws Exception {
        Path installed = install();
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls", "cat");
        tool(
                "java",
                "if [[ $1 == -XshowSettings* ]]; then echo '    java.specification.version = 17' >&2;"
                        + " echo '    java.home = /opt/jdk 17' >&2; else echo \"$@\"; fi");
        tool(
                "hbase",
                "[[ -n $JAVA_HOME ]] || { echo 'Error: JAVA_HOME is not set' >&2; exit 1; }; echo \"$JAVA_HOME/all.jar\"");

        for (String command : List.of("status", "version")) {
            HearthScript.Result result = HearthScript.runFrom(installed, folder, tools, 1, command);
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("hearth-coprocessor.jar:/opt/jdk 17/all.jar io.hearth.cli.");
        }
    }

    @Test
    void whereTheHbaseCommandFailsThatIsOneLineMore() throws Exception {
        Path installed = install();
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls", "cat");
        tool("java", "echo '    java.specification.version = 17' >&2");
        tool("hbase", "echo 'Error: JAVA_HOME is not set' >&2; exit 1");

        for (String command : List.of("status", "version")) {
            HearthScript.Result result = HearthScript.runFrom(installed, folder, tools, 1, command);
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.output())
                    .isEqualTo("Error: JAVA_HOME is not set\nhearth: " + folder.resolve("tools/hbase")
                            + " does not say its class path: what it printed is above. Set JAVA_HOME and HBASE_HOME as for"
                            + " HBase itself\n");
        }
    }

    @Test
    void withoutTheCommandLinesJarThatIsOneLine() throws Exception {
        Path installed = install();
        Files.delete(installed.resolve("lib/cli/hearth-cli.jar"));
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls");
        tool("java", "echo '    java.specification.version = 17' >&2");
        tool("hbase", "echo /opt/hbase/lib/all.jar");

        HearthScript.Result status = HearthScript.runFrom(installed, folder, tools, 1, "status");

        assertThat(status.exitCode()).isEqualTo(2);
        assertThat(status.output())
                .isEqualTo("hearth: hearth-cli.jar is missing: it belongs into " + installed + " or " + installed
                        + "/lib\n");
    }

    /** So that it can be said in any folder to which the tarball was unpacked. */
    @Test
    void theVersionNeedsNeitherHBaseNorAConfiguration() throws Exception {
        Path installed = install();
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls", "cat");
        tool(
                "java",
                "if [[ $1 == -XshowSettings* ]]; then echo '    java.specification.version = 17' >&2; else echo \"$@\"; fi");

        assertThat(HearthScript.runFrom(installed, folder, tools, 1, "version", "--output", "json")
                        .output())
                .endsWith("-cp " + installed.resolve("lib/cli/hearth-cli.jar") + ":"
                        + installed.resolve("lib/hearth-balancer.jar") + ":"
                        + installed.resolve("lib/hearth-coprocessor.jar")
                        + ": io.hearth.cli.VersionCommand --output json\n");

        Files.writeString(installed.resolve("VERSION"), "0.1.0\n");
        Files.delete(installed.resolve("lib/hearth-coprocessor.jar"));
        assertThat(HearthScript.runFrom(installed, folder, tools, 1, "version").output())
                .isEqualTo("hearth 0.1.0\n");
        assertThat(HearthScript.runFrom(installed, folder, tools, 1, "version", "--output", "json")
                        .output())
                .isEqualTo("hearth: version --output json needs Java 17 or later and hearth-coprocessor.jar\n");
    }

    /** The stock balancer is in the source only. */
    @Test
    void withoutTheSourceAPlanIsOfALiveCluster() throws Exception {
        Path installed = install();
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls");
        tool(
                "java",
                "if [[ $1 == -XshowSettings* ]]; then echo '    java.specification.version = 17' >&2; else echo \"$@\"; fi");
        tool("hbase", "echo /opt/hbase/lib/all.jar");

        for (String command :
                List.of("status", "top", "balancer plan", "balancer pins", "healer pause", "completion")) {
            String[] words = (command + " x").split(" ");
            assertThat(HearthScript.runFrom(installed, folder, tools, 1, words).output())
                    .endsWith("io.hearth.cli.Main " + command + " x\n");
        }
    }

    @Test
    void withoutTheHbaseCommandThatIsOneLine() throws Exception {
        Path installed = install();
        Map<String, String> tools = onlyTheseTools("dirname", "readlink", "bash", "sed", "head", "ls");
        tool("java", "echo '    java.specification.version = 17' >&2");

        HearthScript.Result heal = HearthScript.runFrom(installed, folder, tools, 1, "healer", "daemon");

        assertThat(heal.exitCode()).isEqualTo(2);
        assertThat(heal.output())
                .isEqualTo(
                        "hearth: hbase is missing: its class path is needed. Set HBASE_HOME, or put the hbase command on"
                                + " the PATH\n");
    }

    @Test
    void whatWasCheckedOutInTheSecondInWhichTheBuildBeganIsNotBuiltAgain() throws Exception {
        Path clone = builtClone("2026-11-26 09:15:37.900 UTC");
        Path source = clone.resolve("bench/src/main/java/Bench.java");
        Map<String, String> tools =
                Map.of("PATH", folder.resolve("tools") + ":" + System.getenv("PATH"), "JAVA_HOME", folder.toString());

        Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2026-11-26T09:15:37.800Z")));
        HearthScript.Result older = HearthScript.runFrom(clone, folder, tools, 1, "simulate", "--help");
        Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2026-11-26T09:15:37.950Z")));
        HearthScript.Result newer = HearthScript.runFrom(clone, folder, tools, 1, "simulate", "--help");

        assertThat(older.output()).isEqualTo("simulated\n");
        assertThat(newer.output()).startsWith("Building Hearth with Maven").endsWith("simulated\n");

        Path errors = folder.resolve("errors");
        ProcessBuilder script = new ProcessBuilder(
                        "/bin/bash", clone.resolve("bin/hearth").toString(), "simulate", "--help")
                .redirectError(errors.toFile());
        script.environment().putAll(tools);
        assertThat(new String(script.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .as("standard output is the command's alone")
                .isEqualTo("simulated\n");
        assertThat(errors).content().startsWith("Building Hearth with Maven");
    }

    /** Broken (set -e): the script ended with 1 and without a word where JAVA_HOME is of a Java that has been removed. */
    @Test
    void aMavenThatDoesNotRunIsOneLineWithWhatItSays() throws Exception {
        Path clone = builtClone("2026-11-26 09:15:37.900 UTC");
        Files.delete(clone.resolve("bench/target/hearth-bench.jar"));
        tool("mvn", "echo 'The JAVA_HOME environment variable is not defined correctly' >&2; exit 1");
        Map<String, String> tools = Map.of(
                "PATH",
                folder.resolve("tools") + ":" + System.getenv("PATH"),
                "JAVA_HOME",
                folder.resolve("gone").toString());

        HearthScript.Result broken = HearthScript.runFrom(clone, folder, tools, 1, "simulate", "--help");

        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.output())
                .isEqualTo("hearth: mvn does not run: The JAVA_HOME environment variable is not defined correctly\n");
    }

    @Test
    void aRunningClusterIsLookedAtAndEndedWithTheJarsThatThereAre() throws Exception {
        Path clone = builtClone("2026-11-26 09:15:37.900 UTC");
        Path source = clone.resolve("bench/src/main/java/Bench.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2026-11-27T00:00:00Z")));
        Map<String, String> tools =
                Map.of("PATH", folder.resolve("tools") + ":" + System.getenv("PATH"), "JAVA_HOME", folder.toString());

        assertThat(HearthScript.runFrom(clone, folder, tools, 1, "cluster", "start")
                        .output())
                .startsWith("Building Hearth with Maven");
        for (String command : List.of("stop", "status")) {
            assertThat(HearthScript.runFrom(clone, folder, tools, 1, "cluster", command)
                            .output())
                    .isEqualTo("simulated\n");
        }
        Files.delete(clone.resolve("bench/target/hearth-bench.jar"));
        assertThat(HearthScript.runFrom(clone, folder, tools, 1, "cluster", "stop")
                        .output())
                .startsWith("Building Hearth with Maven");
    }

    @Test
    void aBuildSaysToTheMillisecondWhenItBegan() {
        assertThat(HearthScript.ROOT.resolve("bench/target/built"))
                .content()
                .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} UTC\\s*");
    }

    /** A JVM whose threads are looked at leaves such a file where it was started, which is a module's folder. One was committed. */
    @Test
    void whatAJvmLeavesWhereItWasStartedIsNotInTheRepository() throws Exception {
        assertThat(Files.readAllLines(HearthScript.ROOT.resolve(".gitignore"))).contains(".attach_pid*");
        assumeTrue(Files.exists(HearthScript.ROOT.resolve(".git")), "not a clone");
        String root = HearthScript.ROOT.toString();

        assertThat(SystemCommand.run("git", "-C", root, "ls-files", "--", "*.attach_pid*"))
                .isEmpty();
        assertThat(SystemCommand.run("git", "-C", root, "check-ignore", "coprocessor/.attach_pid32064"))
                .isEqualTo("coprocessor/.attach_pid32064\n");
    }

    /** A clone with one source file and jars, whose build began then; its Java and Maven are scripts. */
    private Path builtClone(String began) throws IOException {
        Path clone = Files.createDirectories(folder.toRealPath().resolve("clone"));
        FileTime longAgo = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
        for (String file : List.of(
                "balancer/target/hearth-balancer.jar",
                "coprocessor/target/hearth-coprocessor.jar",
                "datanode/target/hearth-datanode.jar",
                "cli/target/hearth-cli.jar",
                "bench/target/hearth-bench.jar",
                "bench/target/classpath",
                "bench/src/main/java/Bench.java",
                "bench/pom.xml",
                ".mvn/jvm.config",
                "pom.xml")) {
            Path made = clone.resolve(file);
            Files.createDirectories(made.getParent());
            Files.setLastModifiedTime(Files.writeString(made, "something"), longAgo);
        }
        Files.writeString(clone.resolve("bench/target/built"), began + "\n");
        Path script = Files.createDirectory(clone.resolve("bin")).resolve("hearth");
        Files.copy(HearthScript.ROOT.resolve("bin").resolve("hearth"), script);
        Files.createDirectory(folder.resolve("tools"));
        tool("javac", "");
        tool("mvn", "if [[ $1 == --version ]]; then echo 'Apache Maven 3.9.9'; fi");
        tool(
                "java",
                "if [[ $1 == -XshowSettings* ]]; then echo '    java.specification.version = 17' >&2; else echo simulated; fi");
        return clone;
    }

    /** A folder with the script and the jars, and no source. */
    private Path install() throws IOException {
        Path installed = Files.createDirectories(folder.toRealPath().resolve("installed"));
        Files.createDirectories(installed.resolve("bin"));
        Files.copy(
                HearthScript.ROOT.resolve("bin").resolve("hearth"),
                installed.resolve("bin").resolve("hearth"));
        Files.createDirectories(installed.resolve("lib").resolve("cli"));
        Files.createFile(installed.resolve("lib").resolve("cli").resolve("hearth-cli.jar"));
        Files.createFile(installed.resolve("lib").resolve("hearth-balancer.jar"));
        Files.createFile(installed.resolve("lib").resolve("hearth-coprocessor.jar"));
        return installed;
    }

    /** A PATH on which there is nothing but these. */
    private Map<String, String> onlyTheseTools(String... names) throws IOException {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String name : names) {
            Path real = Files.exists(Path.of("/usr/bin", name)) ? Path.of("/usr/bin", name) : Path.of("/bin", name);
            Files.createSymbolicLink(tools.resolve(name), real);
        }
        return Map.of("PATH", tools.toString(), "JAVA_HOME", "");
    }

    private void tool(String name, String body) throws IOException {
        Path tool = folder.resolve("tools").resolve(name);
        Files.writeString(tool, "#!/bin/bash\n" + body + "\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
    }
}
