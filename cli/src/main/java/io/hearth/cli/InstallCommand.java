// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import io.hearth.cli.install.InstallCheck;
import io.hearth.cli.install.InstallCheck.Change;
import io.hearth.cli.install.InstallCheck.SiteFiles;
import io.hearth.cli.install.InstallText;
import io.hearth.cli.install.LibraryCheck;
import io.hearth.cli.install.LibraryCheck.Missing;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth install --check}: holds site files and jars against what Hearth needs, and changes nothing. */
@Command(
        name = "install",
        description = {
            "Reads the site files of an HMaster and says what each property has to become for",
            "Hearth, with everything that is there already: coprocessors (AccessController,",
            "rsgroups), filters of the web UI, the balancer of rsgroups, the DataNodes' dataset",
            "factory. Says what would be lost, and whether the HMaster's Java is 17 or later.",
            "Looks in the jars of HBase and Hadoop for each class, method and field that Hearth",
            "uses, and names those that are not there.",
            "Asks no cluster, and changes nothing.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:with the values that are printed nothing is lost, and no jar lacks anything",
            "1:something has to be mended or decided first: the last lines say what",
            "2:a wrong argument, or a file that can't be read"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth install --check",
            "  bin/hearth install --check --config=/etc/hbase/conf --java=/usr/lib/jvm/java-17",
            "  bin/hearth install --check --hbase-lib=/opt/hbase/lib"
        })
final class InstallCommand extends HelpOption implements Callable<Integer> {

    private static final Pattern JAVA_HOME =
            Pattern.compile("(?m)^\\s*(?:export\\s+)?JAVA_HOME=[\"']?([^\"'\\s#]+)[\"']?");
    private static final Pattern JAVA_VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"([^\"]+)\"");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--check",
            description = "check, and change nothing: the only thing that this command does",
            required = true)
    private boolean check;

    @Option(
            names = "--config",
            paramLabel = "DIR",
            description = {
                "the folder of hbase-site.xml, hbase-env.sh and, if it is there, hdfs-site.xml",
                "(default: HBASE_CONF_DIR, and HADOOP_CONF_DIR for hdfs-site.xml)"
            })
    private @Nullable Path config;

    @Option(
            names = "--java",
            paramLabel = "DIR",
            description = "the JAVA_HOME of the HMaster (default: by hbase-env.sh, else JAVA_HOME)")
    private @Nullable Path java;

    @Option(
            names = "--hbase-lib",
            paramLabel = "DIR",
            description = {
                "the folder lib of the HMaster's HBase; once more for each folder with jars of",
                "Hadoop that are not in it (default: the class path that this command runs with)"
            })
    private List<Path> libraries = List.of();

    @Mixin
    private OutputOptions output;

    private final Predicate<Path> isReadable;

    InstallCommand() {
        this(Files::isReadable);
    }

    InstallCommand(Predicate<Path> isReadable) {
        this.isReadable = isReadable;
    }

    @Override
    public Integer call() throws IOException {
        InstallCheck found = InstallCheck.of(files(System.getenv()));
        LibraryCheck jars = jars(System.getProperty("java.class.path"));
        PrintWriter out = spec.commandLine().getOut();
        switch (output.ofRows()) {
            case JSON -> out.println(json(found, jars));
            case CSV -> InstallText.table(found).csv().forEach(out::println);
            case TABLE -> {
                jars.lines().forEach(out::println);
                out.println();
                InstallText.of(found).forEach(out::println);
            }
        }
        out.flush();
        return found.isClear() && jars.isClear() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    /** What the jars lack: those of the folders that are named, else those of this class path. */
    private LibraryCheck jars(String classPath) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path folder : libraries) {
            List<Path> some = InstalledLibraries.jarsOf(folder);
            if (some.isEmpty()) {
                throw problem("--hbase-lib is " + folder + "; it must be a folder with jars");
            }
            jars.addAll(some);
        }
        try (InstalledLibraries installed =
                InstalledLibraries.open(libraries.isEmpty() ? InstalledLibraries.jarsOf(classPath) : jars)) {
            Optional<String> absent = installed.absent();
            if (absent.isPresent()) {
                throw problem(
                        libraries.isEmpty()
                                ? "the class path has " + absent.get() + "; name their folders with --hbase-lib"
                                : "--hbase-lib names " + absent.get()
                                        + "; name each folder with jars of HBase and of Hadoop");
            }
            return installed.check();
        } catch (IOException unreadable) {
            throw problem(String.valueOf(unreadable.getMessage()));
        }
    }

    /** What is checked: by the options, else by this environment. */
    SiteFiles files(Map<String, String> environment) throws IOException {
        Path folder = config != null ? config : folder(environment, "HBASE_CONF_DIR");
        if (folder == null || !isThere(folder.resolve("hbase-site.xml"))) {
            throw problem(
                    folder == null
                            ? "neither --config nor HBASE_CONF_DIR says where hbase-site.xml is"
                            : (config == null ? "HBASE_CONF_DIR" : "--config") + " is " + folder
                                    + "; it must be a folder with an hbase-site.xml");
        }
        Path hdfs = folder.resolve("hdfs-site.xml");
        Path hadoop = folder(environment, "HADOOP_CONF_DIR");
        if (!isThere(hdfs) && hadoop != null) {
            hdfs = hadoop.resolve("hdfs-site.xml");
        }
        Path env = folder.resolve("hbase-env.sh");
        // In whatever encoding its comments are.
        Optional<String> byEnv = isThere(env)
                ? JAVA_HOME
                        .matcher(Files.readString(env, StandardCharsets.ISO_8859_1))
                        .results()
                        .reduce((first, last) -> last)
                        .map(match -> match.group(1))
                : Optional.empty();
        String from;
        Optional<Path> home;
        if (java != null) {
            from = "--java " + java;
            home = Optional.of(java);
        } else if (byEnv.isPresent()) {
            from = "JAVA_HOME=" + byEnv.get() + " in hbase-env.sh";
            home = byEnv.map(Path::of);
        } else {
            from = "hbase-env.sh says no JAVA_HOME, and the environment has "
                    + Optional.ofNullable(environment.get("JAVA_HOME")).orElse("none");
            home = Optional.ofNullable(environment.get("JAVA_HOME")).map(Path::of);
        }
        return new SiteFiles(properties(folder.resolve("hbase-site.xml")), properties(hdfs), version(home), from);
    }

    /** A file that can't be read is no file that is missing: what it says counts for the HMaster, which can. */
    private boolean isThere(Path file) {
        if (Files.notExists(file)) {
            return false;
        }
        if (!isReadable.test(file)) {
            throw problem(file + " is there and can't be read by " + System.getProperty("user.name"));
        }
        return true;
    }

    private static @Nullable Path folder(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : Path.of(value);
    }

    /** Of the file {@code release} that every JDK has in its home; nothing is started. */
    private Optional<String> version(Optional<Path> home) throws IOException {
        Optional<Path> release = home.map(folder -> folder.resolve("release")).filter(this::isThere);
        if (release.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = JAVA_VERSION.matcher(Files.readString(release.get(), StandardCharsets.UTF_8));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** The properties of this file alone, without any defaults. */
    private Map<String, String> properties(Path file) {
        Map<String, String> properties = new HashMap<>();
        if (!isThere(file)) {
            return properties;
        }
        try {
            Configuration site = new Configuration(false);
            site.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
            for (Map.Entry<String, String> entry : site) {
                properties.put(
                        entry.getKey(),
                        Optional.ofNullable(site.get(entry.getKey())).orElse(""));
            }
            return properties;
        } catch (RuntimeException unreadable) {
            Throwable cause = unreadable.getCause() == null ? unreadable : unreadable.getCause();
            throw problem(file + " can't be read: "
                    + String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private ParameterException problem(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static JsonObject json(InstallCheck found, LibraryCheck jars) {
        JsonObject all = new JsonObject();
        all.addProperty("clear", found.isClear() && jars.isClear());
        JsonArray properties = new JsonArray();
        for (Change change : found.changes()) {
            JsonObject one = new JsonObject();
            one.addProperty("file", change.file());
            one.addProperty("key", change.key());
            change.now().ifPresent(now -> one.addProperty("before", now));
            one.addProperty("after", change.merged());
            one.addProperty("done", change.isDone());
            one.addProperty("optional", change.optional());
            JsonArray lost = new JsonArray();
            change.lost().forEach(lost::add);
            one.add("lostByHearthAlone", lost);
            change.note().ifPresent(note -> one.addProperty("note", note));
            properties.add(one);
        }
        all.add("properties", properties);
        JsonArray problems = new JsonArray();
        found.problems().forEach(problems::add);
        all.add("problems", problems);
        all.add("jars", json(jars));
        return all;
    }

    private static JsonObject json(LibraryCheck jars) {
        JsonObject all = new JsonObject();
        all.addProperty("hbase", jars.hbaseVersion());
        all.addProperty("hadoop", jars.hadoopVersion());
        all.addProperty("builtForHBase", jars.builtForHBase());
        all.addProperty("builtForHadoop", jars.builtForHadoop());
        all.addProperty("used", jars.used());
        JsonArray missing = new JsonArray();
        for (Missing one : jars.missing()) {
            JsonObject entry = new JsonObject();
            entry.addProperty("what", one.what());
            JsonObject users = new JsonObject();
            one.usersByPart().forEach((part, classes) -> {
                JsonArray names = new JsonArray();
                classes.forEach(names::add);
                users.add(part, names);
            });
            entry.add("neededBy", users);
            missing.add(entry);
        }
        all.add("missing", missing);
        return all;
    }
}
