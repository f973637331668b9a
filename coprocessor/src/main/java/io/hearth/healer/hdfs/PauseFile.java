// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.common.log.PrintableName;
import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.core.PauseSwitch.PauseState;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The small file {@code .hearth/healer.paused} in HBase's root folder that is there while healing is paused, stopped by an alarm or
 * slower after one. A line for each, which begins with the word for it.
 */
final class PauseFile implements PauseStore {

    private static final Logger LOG = LoggerFactory.getLogger(PauseFile.class);
    private static final String FILE = "healer.paused";
    private static final String PAUSED = "paused ";
    private static final String ALARM = "alarm ";
    private static final String SLOW_UNTIL = "slow-until ";

    private final SmallFile file;

    PauseFile(DistributedFileSystem fs, Path rootDir) {
        this.file = new SmallFile(fs, rootDir, FILE);
    }

    @Override
    public PauseState load() throws IOException {
        return file.read().map(PauseFile::state).orElse(PauseState.NONE);
    }

    @Override
    public void save(PauseState state) throws IOException {
        if (state.equals(PauseState.NONE)) {
            file.delete();
        } else {
            file.write(text(state));
        }
    }

    /** What is written of this state. */
    static String text(PauseState state) {
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
