// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.model;

import io.hearth.common.config.LineFile;
import io.hearth.common.config.LineFile.LineException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The clusters of a text file, one a line, and what is wrong with lines that can't be used. Empty lines and what follows a {@code #} are
 * comments. Immutable.
 *
 * <pre>
 * # name  configuration     what slo run found
 * west    /etc/hbase/west   http://watch1:9469/metrics
 * east    /etc/hbase/east   /var/lib/hearth/slo-east  /etc/hearth/east-objectives.txt
 * north   north-conf
 * </pre>
 *
 * <p>The configuration is a folder with {@code hbase-site.xml}, {@code core-site.xml} and {@code hdfs-site.xml}. What {@code slo run} found is
 * its metrics, or its folder and its objectives. Paths are taken from the file's own folder, and have no blanks. A line that can't be used is
 * left out, and the others hold.
 *
 * @param clusters in the order of the file
 * @param problems one line for each that can't be used
 */
public record ClustersFile(List<Cluster> clusters, List<String> problems) {

    private static final int MOST_CLUSTERS = 500;
    private static final int CONFIGURATION = 1;
    private static final int FOUND = 2;
    private static final int OBJECTIVES = 3;
    private static final int MOST_WORDS = 4;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,59}");
    private static final Pattern URL = Pattern.compile("https?://[A-Za-z0-9._\\-\\[\\]:]+(?:/[A-Za-z0-9._~/-]*)?");

    /** Copies the lists. */
    public ClustersFile {
        clusters = List.copyOf(clusters);
        problems = List.copyOf(problems);
    }

    /**
     * A cluster of the fleet.
     *
     * @param name letters, digits, dots, underscores and hyphens; no two clusters have the same
     * @param configuration the folder of its client configuration
     * @param budgets where its error budgets are told; empty where nobody watches it
     */
    public record Cluster(String name, Path configuration, Optional<BudgetSource> budgets) {}

    /** Where the error budgets of a cluster are told. */
    public sealed interface BudgetSource {

        /** The metrics of a running {@code slo run}. */
        record Metrics(String url) implements BudgetSource {}

        /** The folder in which it stores what it finds, to be held against the objectives of a file. */
        record Store(Path folder, Path objectives) implements BudgetSource {}
    }

    /**
     * Reads the text of a file.
     *
     * @param file to be named in problems, and from whose folder paths are taken
     */
    public static ClustersFile parse(String text, Path file) {
        List<Cluster> clusters = new ArrayList<>();
        Map<String, Integer> lineByName = new HashMap<>();
        Path folder = file.toAbsolutePath().resolveSibling("");
        List<String> problems = LineFile.read(text, file.toString(), (line, number) -> {
            Cluster cluster = cluster(line, folder);
            if (lineByName.containsKey(cluster.name())) {
                throw new LineException(
                        "line " + lineByName.get(cluster.name()) + " has the name '" + cluster.name() + "' already");
            }
            if (clusters.size() == MOST_CLUSTERS) {
                throw new LineException("there are more than " + MOST_CLUSTERS + " clusters");
            }
            clusters.add(cluster);
            lineByName.put(cluster.name(), number);
        });
        return new ClustersFile(clusters, problems);
    }

    private static Cluster cluster(String line, Path folder) throws LineException {
        String[] words = line.split("\\s+");
        if (words.length <= CONFIGURATION || words.length > MOST_WORDS) {
            throw new LineException("'" + line + "' can't be used: it must be NAME FOLDER, NAME FOLDER URL"
                    + " or NAME FOLDER SLO-FOLDER OBJECTIVES");
        }
        if (!NAME.matcher(words[0]).matches()) {
            throw new LineException(
                    "'" + words[0] + "' can't be a name: it must be up to 60 letters, digits, dots, underscores and"
                            + " hyphens, a letter or digit first");
        }
        return new Cluster(words[0], path(folder, words[CONFIGURATION]), budgets(words, folder));
    }

    private static Optional<BudgetSource> budgets(String[] words, Path folder) throws LineException {
        if (words.length == FOUND) {
            return Optional.empty();
        }
        boolean isUrl = words[FOUND].contains("://");
        if (isUrl && !URL.matcher(words[FOUND]).matches()) {
            throw new LineException(
                    "'" + words[FOUND] + "' can't be an address: it must be like http://watch1:9469/metrics");
        }
        if (isUrl && words.length > OBJECTIVES) {
            throw new LineException(
                    "'" + words[OBJECTIVES] + "' is too much: metrics tell of the objectives by themselves");
        }
        if (!isUrl && words.length == OBJECTIVES) {
            throw new LineException(
                    "after the folder '" + words[FOUND] + "' of slo run the file of its objectives is missing");
        }
        return Optional.of(
                isUrl
                        ? new BudgetSource.Metrics(words[FOUND])
                        : new BudgetSource.Store(path(folder, words[FOUND]), path(folder, words[OBJECTIVES])));
    }

    private static Path path(Path folder, String word) throws LineException {
        try {
            return folder.resolve(word).normalize();
        } catch (InvalidPathException impossible) {
            throw new LineException("'" + word + "' can't be a path");
        }
    }
}
