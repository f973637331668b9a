// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.install.ClassFile;
import io.hearth.cli.install.ClassFile.Use;
import io.hearth.cli.install.ClassFile.UseKind;
import io.hearth.cli.install.UsedApi;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Trials of what one process of HBase's or Hadoop's does with Hearth in it, each time without another class, field or method of theirs, from
 * the list of what Hearth uses that the build makes. Nothing may leave a hook, and one line has to say what is missing and both versions. To
 * be closed; of one thread.
 */
final class MissingUseTrials implements AutoCloseable {

    private static final String LINE = "Hearth was built for HBase ";

    /** Of a process, the part that has Hearth's classes in it. */
    @FunctionalInterface
    interface Daemon {

        /**
         * Does all that it does with Hearth; returns what left a hook or was not as without Hearth, and nothing where all was well.
         *
         * @param loader has Hearth's classes
         * @param users internal names of those that use what is missing
         */
        List<String> escaped(ClassLoader loader, Set<String> users) throws Exception;
    }

    /** How many there are, how many of them were reached and missed, and what went wrong, by what was missing. */
    record Result(int tried, Set<String> missed, Map<String, List<String>> wrong) {}

    private final String packages;
    private final Set<String> threads;
    private final Daemon daemon;
    private final Set<String> hearths;
    private final Thread testThread = Thread.currentThread();
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Map<Logger, Level> levels = new HashMap<>();
    /** Has the classes that are tried now. */
    private volatile ClassLoader tried = getClass().getClassLoader();

    private final AppenderSkeleton appender = new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
            if (isTriedNow(Thread.currentThread()) && isOfHearth(event.getLoggerName())) {
                logged.add(event.getRenderedMessage()
                        + (event.getThrowableInformation() == null
                                ? ""
                                : " " + event.getThrowableInformation().getThrowable()));
            }
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    };

    /**
     * @param packages of HBase's or HDFS's, the beginning of internal names, to which classes of Hearth's belong
     * @param threads of Hearth, whose lines count as well as those of the test's thread
     */
    MissingUseTrials(String packages, Set<String> threads, Daemon daemon) throws IOException {
        this.packages = packages;
        this.threads = threads;
        this.daemon = daemon;
        this.hearths =
                read().usersByUse().values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        for (String name : List.of(
                "io.hearth", packages.substring(0, packages.length() - 1).replace('/', '.'))) {
            Logger logger = Logger.getLogger(name);
            levels.put(logger, logger.getLevel());
            logger.setLevel(Level.WARN);
            logger.addAppender(appender);
        }
    }

    @Override
    public void close() {
        levels.forEach((logger, before) -> {
            logger.removeAppender(appender);
            logger.setLevel(before);
        });
    }

    /** What other threads say may come when something else is missing already. */
    private boolean isTriedNow(Thread thread) {
        return thread == testThread || (threads.contains(thread.getName()) && thread.getContextClassLoader() == tried);
    }

    /** HBase and HDFS log in these packages as well. */
    private boolean isOfHearth(String logger) {
        return logger.startsWith("io.hearth.") || hearths.contains(logger.replace('.', '/'));
    }

    /** Whether the log says what is missing and both versions. */
    boolean isSaid() {
        return logged.stream().anyMatch(line -> line.contains(LINE));
    }

    /** Tries with all, which has to go well, and then without one in so many. */
    Result tryWithoutOneIn(int one, Map<Use, Set<String>> usersByUse) throws Exception {
        assertThat(escaped(new Use(UseKind.METHOD, "none", "none", "()V"), hearths))
                .as("with all of them")
                .isEmpty();
        assertThat(logged).isEmpty();

        Map<String, List<String>> wrong = new LinkedHashMap<>();
        Set<String> missed = new TreeSet<>();
        List<Use> uses = new ArrayList<>(usersByUse.keySet());
        int count = 0;
        for (int number = 0; number < uses.size(); number += one) {
            Use missing = uses.get(number);
            Set<String> users = usersByUse.get(missing);
            logged.clear();
            List<String> problems = escaped(missing, users);
            problems.addAll(wrongLines(missing));
            if (isSaid()) {
                missed.add(missing.toString());
            }
            count++;
            if (!problems.isEmpty()) {
                wrong.put(missing + " of " + users, problems);
            }
        }
        System.out.println("Tried without each of " + count + " of " + uses.size() + " classes and members; "
                + missed.size() + " were missed.");
        return new Result(count, missed, wrong);
    }

    private List<String> wrongLines(Use missing) {
        List<String> lines = logged.stream().filter(line -> line.contains(LINE)).toList();
        String name = missing.name().isEmpty() ? missing.owner() : missing.name() + MissingUseLoader.ABSENT;
        if (!lines.isEmpty()
                && lines.stream().noneMatch(line -> line.contains(name) || line.contains(name.replace('/', '.')))) {
            return List.of("not named in " + lines);
        }
        return lines.isEmpty() && logged.stream().anyMatch(line -> line.contains("Error"))
                ? List.of("told without versions: " + logged)
                : List.of();
    }

    private List<String> escaped(Use missing, Set<String> users) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        MissingUseLoader loader = new MissingUseLoader(getClass().getClassLoader(), packages, missing, users);
        Thread.currentThread().setContextClassLoader(loader);
        tried = loader;
        try {
            return new ArrayList<>(daemon.escaped(loader, users));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /**
     * By what is used, the classes in these packages that do, but for what HBase or Hadoop itself would not run without.
     *
     * @param packages the beginnings of internal names
     * @param namedInTheSite what these use, each class of their kind does
     * @param usedByStock classes that are loaded beside Hearth's, and would be missed there too
     */
    static Map<Use, Set<String>> usersByUse(List<String> packages, Set<String> namedInTheSite, Set<String> usedByStock)
            throws IOException {
        Map<Use, Set<String>> usersByUse = new LinkedHashMap<>();
        UsedApi api = read();
        Set<String> ofStock = new HashSet<>(usedByStock);
        api.usersByUse().forEach((use, users) -> {
            if (use.kind() == UseKind.SUPERTYPE && users.stream().anyMatch(namedInTheSite::contains)) {
                ofStock.add(use.owner());
            }
        });
        api.usersByUse().forEach((use, users) -> {
            Set<String> others = users.stream()
                    .filter(user -> packages.stream().anyMatch(user::startsWith))
                    .filter(user -> !namedInTheSite.contains(user))
                    .collect(Collectors.toSet());
            boolean isClass = use.kind() == UseKind.CLASS;
            boolean isMember = Set.of(UseKind.FIELD, UseKind.REFLECTED_FIELD, UseKind.METHOD, UseKind.INTERFACE_METHOD)
                            .contains(use.kind())
                    && !use.name().equals("<init>");
            if (!others.isEmpty()
                    && !use.owner().startsWith("org/slf4j/")
                    && (isMember || (isClass && !ofStock.contains(use.owner())))) {
                usersByUse.put(use, others);
            }
        });
        return usersByUse;
    }

    private static UsedApi read() throws IOException {
        try (InputStream list = UsedApi.class.getResourceAsStream("used-api.txt")) {
            return UsedApi.parse(new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))
                    .lines()
                    .toList());
        }
    }

    /** Classes that these name, or those of this package of theirs that they lead to. */
    static Set<String> usedBy(List<String> classes, String packageName) throws IOException {
        Set<String> used = new HashSet<>();
        List<String> open = new ArrayList<>(classes);
        while (!open.isEmpty()) {
            String name = open.remove(open.size() - 1);
            try (InputStream in = MissingUseTrials.class.getClassLoader().getResourceAsStream(name + ".class")) {
                if (in == null) {
                    continue;
                }
                for (Use use : ClassFile.read(in).uses()) {
                    if (used.add(use.owner())
                            && use.owner().startsWith(packageName)
                            && !use.owner().contains("/Hearth")) {
                        open.add(use.owner());
                    }
                }
            }
        }
        return used;
    }
}
