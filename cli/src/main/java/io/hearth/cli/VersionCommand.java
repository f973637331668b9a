// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import io.hearth.cli.client.RunningVersions;
import io.hearth.common.config.BuildInfo;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bin/hearth version}: what this build is, what it was built for, and what it finds. The class and what it names load where there is
 * neither HBase nor Hadoop; so it is a command by itself, and its JSON needs no library.
 */
@Command(
        name = "bin/hearth version",
        description = {
            "Prints the version of Hearth, which commit it was built from, and for which",
            "HBase, Hadoop and Java; which of them are found here; and, where a",
            "configuration is known, what runs in the HMaster of that cluster.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:what is known was printed", "2:a wrong argument"},
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth version", "  bin/hearth version --output json --config /etc/hbase/conf"})
public final class VersionCommand extends HelpOption implements Callable<Integer> {

    /** A command that tells the version should not wait long for a cluster that is down. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "DIR",
            description =
                    "the folder of hbase-site.xml of a cluster to ask (default: HBASE_CONF_DIR; without it none is asked)")
    private @Nullable Path config;

    @Mixin
    private OutputOptions output;

    private final Optional<BuildInfo> build;

    VersionCommand(Optional<BuildInfo> build) {
        this.build = build;
    }

    /** Runs the command and ends the JVM with its exit code: a thread of HBase's may still wait for a cluster. */
    public static void main(String[] args) {
        System.exit(commandLine(BuildInfo.of(VersionCommand.class)).execute(args));
    }

    static CommandLine commandLine(Optional<BuildInfo> build) {
        return new CommandLine(new VersionCommand(build)).setParameterExceptionHandler((exception, args) -> {
            exception
                    .getCommandLine()
                    .getErr()
                    .println("hearth version: " + exception.getMessage()
                            + " (bin/hearth version --help shows the options)");
            return ExitCode.USAGE.code();
        });
    }

    @Override
    public Integer call() {
        boolean isJson = output.isJson();
        Found found = new Found(
                System.getProperty("java.version", "unknown"),
                versionOf("org.apache.hadoop.hbase.util.VersionInfo"),
                versionOf("org.apache.hadoop.util.VersionInfo"));
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(json(build, found, cluster(found)));
        } else {
            text(build, found, cluster(found)).forEach(out::println);
        }
        out.flush();
        return ExitCode.DONE.code();
    }

    /** What is on this class path. Empty: it is not. */
    record Found(String java, Optional<String> hbase, Optional<String> hadoop) {}

    private Optional<RunningVersions> cluster(Found found) {
        String folder = System.getenv("HBASE_CONF_DIR");
        Optional<Path> place = Optional.ofNullable(config).or(() -> Optional.ofNullable(folder)
                .filter(name -> !name.isBlank())
                .map(Path::of));
        if (place.isEmpty()) {
            return Optional.empty();
        }
        if (found.hbase().isEmpty()) {
            return Optional.of(RunningVersions.unknown(
                    "HBase is not on the class path; set HBASE_HOME, or put the hbase command on the PATH"));
        }
        return Optional.of(RunningVersions.ask(place.get(), System.getenv(), DEADLINE, Main::problem));
    }

    private static Optional<String> versionOf(String type) {
        try {
            return Optional.of(
                    (String) Class.forName(type).getMethod("getVersion").invoke(null));
        } catch (ReflectiveOperationException | LinkageError notThere) {
            return Optional.empty();
        }
    }

    static List<String> text(Optional<BuildInfo> build, Found found, Optional<RunningVersions> cluster) {
        List<String> lines = new ArrayList<>();
        lines.add("hearth " + build.map(BuildInfo::version).orElse("of an unknown build"));
        build.ifPresent(known -> {
            lines.add("commit     " + known.commit()
                    + known.committedAt().map(at -> ", made " + at).orElse(""));
            lines.add("built for  HBase " + known.hbase() + ", Hadoop " + known.hadoop() + ", Java " + known.java()
                    + " or later");
        });
        lines.add("found      HBase " + found.hbase().orElse("none") + ", Hadoop "
                + found.hadoop().orElse("none") + ", Java " + found.java());
        cluster.ifPresent(running -> lines.add("cluster    " + text(running)));
        return lines;
    }

    private static String text(RunningVersions running) {
        List<String> parts = new ArrayList<>();
        running.hbase().ifPresent(version -> parts.add("HBase " + version));
        running.hearth().ifPresent(version -> parts.add("Hearth " + version + " in the HMaster"));
        running.problem().ifPresent(parts::add);
        if (running.hearth().isEmpty() && running.problem().isEmpty()) {
            parts.add("no Hearth in the HMaster, or one that does not say its version");
        }
        return String.join(", ", parts);
    }

    static String json(Optional<BuildInfo> build, Found found, Optional<RunningVersions> cluster) {
        Map<String, Object> all = new LinkedHashMap<>();
        build.ifPresent(known -> {
            all.put("version", known.version());
            all.put("commit", known.commit());
            known.committedAt().map(Instant::toEpochMilli).ifPresent(at -> all.put("committedAtMs", at));
            all.put("builtFor", versions(known.hbase(), known.hadoop(), known.java()));
        });
        all.put("found", versions(found.hbase().orElse(""), found.hadoop().orElse(""), found.java()));
        cluster.ifPresent(running -> {
            Map<String, Object> there = new LinkedHashMap<>();
            running.hbase().ifPresent(version -> there.put("hbase", version));
            running.hearth().ifPresent(version -> there.put("hearth", version));
            running.problem().ifPresent(why -> there.put("problem", why));
            all.put("cluster", there);
        });
        return json(all);
    }

    private static Map<String, Object> versions(String hbase, String hadoop, String java) {
        Map<String, Object> versions = new LinkedHashMap<>();
        versions.put("hbase", hbase);
        versions.put("hadoop", hadoop);
        versions.put("java", java);
        versions.values().removeIf(""::equals);
        return versions;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> fields) {
            return fields.entrySet().stream()
                    .map(field -> json(field.getKey()) + ":" + json(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Number) {
            return value.toString();
        }
        return value.toString()
                .chars()
                .mapToObj(letter -> letter < ' ' || letter == '"' || letter == '\\'
                        ? String.format("\\u%04x", letter)
                        : Character.toString(letter))
                .collect(Collectors.joining("", "\"", "\""));
    }
}
