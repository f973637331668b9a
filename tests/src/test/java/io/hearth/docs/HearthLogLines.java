// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds what Hearth's own classes have logged in the processes of a cluster, among what HBase and HDFS log. Stateless.
 *
 * @param loggers the last two parts of the names of Hearth's classes, as the cluster's log4j.properties prints a logger
 */
record HearthLogLines(Set<String> loggers) {

    private static final List<String> JARS = List.of("balancer", "coprocessor", "datanode");

    /** Time, level, thread, logger. */
    private static final Pattern LINE = Pattern.compile("\\d{4}-\\S+ \\S+ (\\w+) +\\[.*?] (\\S+): .*");

    private static final Set<String> ERRORS = Set.of("ERROR", "FATAL");

    /** By the classes that this build's jars have. */
    static HearthLogLines ofThisBuild() throws IOException {
        Set<String> loggers = new HashSet<>();
        for (String module : JARS) {
            Path path = HearthScript.ROOT.resolve(module + "/target/hearth-" + module + ".jar");
            try (JarFile jar = new JarFile(path.toFile())) {
                jar.stream()
                        .map(entry -> entry.getName().replace('/', '.'))
                        .filter(name -> name.endsWith(".class"))
                        .map(name -> name.substring(0, name.length() - ".class".length()))
                        .forEach(name -> loggers.add(lastTwoParts(name)));
            }
        }
        return new HearthLogLines(loggers);
    }

    private static String lastTwoParts(String name) {
        return name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
    }

    /** The lines at ERROR and FATAL of all processes of a cluster, each after the name of its file. */
    List<String> errors(Path logs) throws IOException {
        List<String> errors = new ArrayList<>();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                errors(Files.readString(file, StandardCharsets.ISO_8859_1).lines())
                        .forEach(line -> errors.add(file.getFileName() + ": " + line));
            }
        }
        return errors;
    }

    /** Those among these lines. */
    Stream<String> errors(Stream<String> lines) {
        return lines.filter(line -> {
            Matcher matcher = LINE.matcher(line);
            return matcher.matches() && ERRORS.contains(matcher.group(1)) && loggers.contains(matcher.group(2));
        });
    }
}
