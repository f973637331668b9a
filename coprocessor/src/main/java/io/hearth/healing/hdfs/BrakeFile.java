package io.hearth.healing.hdfs;

import io.hearth.balancer.log.OneLine;
import io.hearth.healing.loop.BrakeStore;
import io.hearth.healing.loop.HealSwitch.Position;
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
 * The small file {@code .hearth/healer.brake} in HBase's root folder that is there while healing is paused or stopped by an alarm.
 * A line for each, which begins with the word for it. What is written is whole or not there: it gets its name at the end.
 */
final class BrakeFile implements BrakeStore {

    private static final String FILE = "healer.brake";
    private static final String PAUSED = "paused ";
    private static final String ALARM = "alarm ";

    /** What is written is a line or two. */
    private static final int MOST_BYTES = 65_536;

    private final DistributedFileSystem fs;
    private final Path file;

    BrakeFile(DistributedFileSystem fs, Path rootFolder) {
        this.fs = fs;
        this.file = new Path(new Path(rootFolder, LeaseLock.FOLDER), FILE);
    }

    @Override
    public Position load() throws IOException {
        try (FSDataInputStream in = fs.open(file)) {
            String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            return new Position(line(text, PAUSED), line(text, ALARM));
        } catch (FileNotFoundException none) {
            return Position.RELEASED;
        }
    }

    @Override
    public void save(Position position) throws IOException {
        if (position.equals(Position.RELEASED)) {
            fs.delete(file, false);
            return;
        }
        Path next = file.suffix(".next");
        try (FSDataOutputStream out = fs.create(next, true)) {
            out.write(text(position).getBytes(StandardCharsets.UTF_8));
        }
        fs.rename(next, file, Options.Rename.OVERWRITE);
    }

    private static String text(Position position) {
        return position.paused().map(why -> PAUSED + oneLine(why)).orElse("")
                + position.alarm().map(what -> ALARM + oneLine(what)).orElse("");
    }

    private static String oneLine(String words) {
        return OneLine.of(words) + "\n";
    }

    private static Optional<String> line(String text, String word) {
        return text.lines()
                .filter(line -> line.startsWith(word))
                .map(line -> OneLine.of(line.substring(word.length())))
                .findFirst();
    }
}
