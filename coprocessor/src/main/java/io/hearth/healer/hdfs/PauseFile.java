// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.common.log.PrintableName;
import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.core.PauseSwitch.PauseState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The small file {@code .hearth/healer.paused} in HBase's root folder that is there while healing is paused or stopped by an alarm.
 * A line for each, which begins with the word for it. What is written is whole or not there: it gets its name at the end.
 */
final class PauseFile implements PauseStore {

    private static final String FILE = "healer.paused";
    private static final String PAUSED = "paused ";
    private static final String ALARM = "alarm ";

    /** What is written is a line or two. */
    private static final int MAX_BYTES = 65_536;

    private final DistributedFileSystem fs;
    private final Path file;

    PauseFile(DistributedFileSystem fs, Path rootDir) {
        this.fs = fs;
        this.file = new Path(new Path(rootDir, LeaseLock.DIR), FILE);
    }

    @Override
    public PauseState load() throws IOException {
        try (FSDataInputStream in = fs.open(file)) {
            String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            return new PauseState(line(text, PAUSED), line(text, ALARM));
        } catch (FileNotFoundException none) {
            return PauseState.NONE;
        }
    }

    @Override
    public void save(PauseState state) throws IOException {
        if (state.equals(PauseState.NONE)) {
            fs.delete(file, false);
            return;
        }
        Path next = file.suffix(".next");
        try (FSDataOutputStream out = fs.create(next, true)) {
            out.write(text(state).getBytes(StandardCharsets.UTF_8));
        }
        fs.rename(next, file, Options.Rename.OVERWRITE);
    }

    private static String text(PauseState state) {
        return state.paused().map(why -> PAUSED + printableName(why)).orElse("")
                + state.alarm().map(what -> ALARM + printableName(what)).orElse("");
    }

    private static String printableName(String words) {
        return PrintableName.of(words) + "\n";
    }

    private static Optional<String> line(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> PrintableName.of(line.substring(label.length())))
                .findFirst();
    }
}
