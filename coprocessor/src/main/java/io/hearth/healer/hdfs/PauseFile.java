// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.common.log.PrintableName;
import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.core.PauseSwitch.PauseState;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The small file {@code .hearth/healer.paused} in HBase's root folder that is there while healing is paused, stopped by an alarm or
 * slower after one. A line for each, which begins with the word for it, after one with the version of the form. Lines of a newer version that
 * this one does not know are written again as they are.
 */
final class PauseFile implements PauseStore {

    private static final Logger LOG = LoggerFactory.getLogger(PauseFile.class);
    /** The version of the form; a file without one is of version 1. */
    static final int VERSION = 1;

    private static final String FILE = "healer.paused";
    private static final String WRITTEN_BY = "version ";
    private static final String PAUSED = "paused ";
    private static final String ALARM = "alarm ";
    private static final String SLOW_UNTIL = "slow-until ";

    private final SmallFile file;
    private Optional<NewerFile> newer = Optional.empty();

    /**
     * What a newer version has written.
     *
     * @param version of the form
     * @param lines that this version does not know
     */
    record NewerFile(int version, List<String> lines) {

        /** What of this text is of a newer version; empty where nothing is. */
        static Optional<NewerFile> of(String text) {
            int version = line(text, WRITTEN_BY)
                    .filter(number -> number.matches("\\d{1,9}"))
                    .map(Integer::valueOf)
                    .orElse(VERSION);
            List<String> unknown = text.lines()
                    .filter(line ->
                            Stream.of(WRITTEN_BY, PAUSED, ALARM, SLOW_UNTIL).noneMatch(line::startsWith))
                    .toList();
            return version > VERSION ? Optional.of(new NewerFile(version, unknown)) : Optional.empty();
        }

        /** For the log. */
        String message() {
            return FILE + " was written by a newer version of Hearth (its form is " + version + ", and " + VERSION
                    + " is known here): what this version knows of it holds, and " + lines.size()
                    + " lines more are left as they are.";
        }
    }

    PauseFile(DistributedFileSystem fs, Path rootDir) {
        this.file = new SmallFile(fs, rootDir, FILE);
    }

    @Override
    public PauseState load() throws IOException {
        Optional<String> text = file.read();
        newer = text.flatMap(NewerFile::of);
        newer.map(NewerFile::message).ifPresent(LOG::warn);
        return text.map(PauseFile::state).orElse(PauseState.NONE);
    }

    @Override
    public void save(PauseState state) throws IOException {
        if (state.equals(PauseState.NONE) && newer.isEmpty()) {
            file.delete();
        } else {
            file.write(text(state, newer));
        }
    }

    /** What is written of this state, with what a newer version had written besides. */
    static String text(PauseState state, Optional<NewerFile> newer) {
        return WRITTEN_BY + newer.map(NewerFile::version).orElse(VERSION) + "\n" + text(state)
                + newer.map(NewerFile::lines).orElse(List.of()).stream()
                        .map(line -> line + "\n")
                        .collect(Collectors.joining());
    }

    private static String text(PauseState state) {
        return state.paused().map(why -> PAUSED + printableName(why)).orElse("")
                + state.alarm().map(what -> ALARM + printableName(what)).orElse("")
                + state.slowUntil().map(end -> SLOW_UNTIL + end + "\n").orElse("");
    }

    private static String printableName(String words) {
        return PrintableName.of(words) + "\n";
    }

    /** The state that somebody has written like that; a time that is none counts as not written. */
    static PauseState state(String text) {
        return new PauseState(
                line(text, PAUSED), line(text, ALARM), line(text, SLOW_UNTIL).flatMap(PauseFile::time));
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException notATime) {
            LOG.warn("{} of {} is not a time ({}): healing goes at its full pace.", SLOW_UNTIL.strip(), FILE, text);
            return Optional.empty();
        }
    }

    private static Optional<String> line(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> PrintableName.of(line.substring(label.length())))
                .findFirst();
    }
}
