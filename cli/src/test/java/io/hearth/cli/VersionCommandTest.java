// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.VersionCommand.Found;
import io.hearth.cli.client.RunningVersions;
import io.hearth.common.config.BuildInfo;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class VersionCommandTest {

    private static final Optional<BuildInfo> BUILD = Optional.of(new BuildInfo(
            "0.1.0",
            "68269af9e0f1c2d3b4a5968778695a4b3c2d1e0f",
            Optional.of(Instant.parse("2026-11-29T19:05:11Z")),
            "2.6.4-hadoop3",
            "3.4.3",
            "17"));

    private static final Found ALL = new Found("21.0.2", Optional.of("2.6.1"), Optional.of("3.4.2"));
    private static final Found JAVA_ALONE = new Found("21.0.2", Optional.empty(), Optional.empty());

    private static Optional<RunningVersions> running(String hbase, String hearth) {
        return Optional.of(new RunningVersions(Optional.of(hbase), Optional.ofNullable(hearth), Optional.empty()));
    }

    @Test
    void allThatIsKnownIsALineEach() {
        assertThat(VersionCommand.text(BUILD, ALL, running("2.6.4", "0.1.0 (68269af9)")))
                .containsExactly(
                        "hearth 0.1.0",
                        "commit     68269af9e0f1c2d3b4a5968778695a4b3c2d1e0f, made 2026-11-29T19:05:11Z",
                        "built for  HBase 2.6.4-hadoop3, Hadoop 3.4.3, Java 17 or later",
                        "found      HBase 2.6.1, Hadoop 3.4.2, Java 21.0.2",
                        "cluster    HBase 2.6.4, Hearth 0.1.0 (68269af9) in the HMaster");
    }

    @Test
    void whatIsNotKnownIsSaidSo() {
        assertThat(VersionCommand.text(Optional.empty(), JAVA_ALONE, Optional.empty()))
                .containsExactly("hearth of an unknown build", "found      HBase none, Hadoop none, Java 21.0.2");
        assertThat(VersionCommand.text(BUILD, ALL, running("2.6.4", null)))
                .endsWith("cluster    HBase 2.6.4, no Hearth in the HMaster, or one that does not say its version");
        assertThat(VersionCommand.text(BUILD, ALL, Optional.of(RunningVersions.unknown("no answer within 10 s"))))
                .endsWith("cluster    no answer within 10 s");
    }

    @Test
    void asJsonItIsOneLineWithoutWhatIsUnknown() {
        assertThat(VersionCommand.json(BUILD, ALL, running("2.6.4", "0.1.0 (68269af9)")))
                .isEqualTo("{\"version\":\"0.1.0\",\"commit\":\"68269af9e0f1c2d3b4a5968778695a4b3c2d1e0f\","
                        + "\"committedAtMs\":1795979111000,"
                        + "\"builtFor\":{\"hbase\":\"2.6.4-hadoop3\",\"hadoop\":\"3.4.3\",\"java\":\"17\"},"
                        + "\"found\":{\"hbase\":\"2.6.1\",\"hadoop\":\"3.4.2\",\"java\":\"21.0.2\"},"
                        + "\"cluster\":{\"hbase\":\"2.6.4\",\"hearth\":\"0.1.0 (68269af9)\"}}");
        assertThat(VersionCommand.json(Optional.empty(), JAVA_ALONE, Optional.empty()))
                .isEqualTo("{\"found\":{\"java\":\"21.0.2\"}}");
    }

    @Test
    void theJsonIsReadBackWhateverItHolds() {
        String odd = "a \"quoted\" \\ and\na line, \u00e4";

        JsonObject read = JsonParser.parseString(
                        VersionCommand.json(BUILD, ALL, Optional.of(RunningVersions.unknown(odd))))
                .getAsJsonObject();

        assertThat(read.getAsJsonObject("cluster").get("problem").getAsString()).isEqualTo(odd);
    }

    @Test
    void itPrintsWhatIsOnItsClassPathAndAsksNoClusterUnasked() {
        StringWriter out = new StringWriter();

        int exitCode = VersionCommand.commandLine(BUILD)
                .setOut(new PrintWriter(out, true))
                .execute();

        assertThat(exitCode).isZero();
        assertThat(out.toString())
                .startsWith("hearth 0.1.0\n")
                .contains("found      HBase " + org.apache.hadoop.hbase.util.VersionInfo.getVersion() + ", Hadoop "
                        + org.apache.hadoop.util.VersionInfo.getVersion() + ", Java "
                        + System.getProperty("java.version"));
    }

    @Test
    void aWrongArgumentIsOneLine() {
        StringWriter err = new StringWriter();

        int exitCode = VersionCommand.commandLine(BUILD)
                .setErr(new PrintWriter(err, true))
                .execute("--output", "csv");

        assertThat(exitCode).isEqualTo(2);
        assertThat(err)
                .hasToString(
                        "hearth version: --output is csv, and this command prints no rows; allowed are table and json"
                                + " (bin/hearth version --help shows the options)\n");
    }

    /** In a folder to which the tarball was unpacked there may be no HBase: nothing of it may be loaded. */
    @Test
    void itRunsWhereThereIsNeitherHBaseNorHadoop() throws Exception {
        Set<URL> own = new LinkedHashSet<>();
        for (Class<?> type : List.of(VersionCommand.class, BuildInfo.class, CommandLine.class)) {
            own.add(type.getProtectionDomain().getCodeSource().getLocation());
        }
        StringWriter out = new StringWriter();
        try (URLClassLoader alone = new URLClassLoader(own.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Method commandLine =
                    alone.loadClass(VersionCommand.class.getName()).getDeclaredMethod("commandLine", Optional.class);
            commandLine.setAccessible(true);
            Object command = commandLine.invoke(null, Optional.empty());
            command.getClass().getMethod("setOut", PrintWriter.class).invoke(command, new PrintWriter(out, true));
            String[] arguments = {"--config", "/no/such"};

            assertThat(command.getClass().getMethod("execute", String[].class).invoke(command, (Object) arguments))
                    .isEqualTo(0);
        }

        assertThat(out)
                .hasToString("hearth of an unknown build\nfound      HBase none, Hadoop none, Java "
                        + System.getProperty("java.version")
                        + "\ncluster    HBase is not on the class path; set HBASE_HOME, or put the hbase command on the"
                        + " PATH\n");
    }
}
