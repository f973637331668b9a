// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.store.Segment.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adds records to the files of one series. What can't be written waits in memory, in its order, up to a number of bytes; then the oldest
 * is given up. Not thread-safe.
 */
final class SeriesWriter implements AutoCloseable {

    private final Path folder;
    private final Series series;
    private final SegmentFile.Opener opener;
    private final Consumer<String> problems;
    private final long mostWaitingBytes;

    private final Map<Long, Target> targetByStartMs = new HashMap<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private int givenUp;

    /** A file to add to, with the numbers of the servers in it. The file itself may have to wait for space. */
    private static final class Target {
        private final Segment segment;
        private final List<String> names = new ArrayList<>();
        private final Map<String, Integer> numberByName = new HashMap<>();
        private @Nullable SegmentFile file;
        private int namesOnFile;

        private Target(Segment segment) {
            this.segment = segment;
        }

        private int numberOf(String name) {
            return numberByName.computeIfAbsent(name, fresh -> {
                names.add(fresh);
                return names.size() - 1;
            });
        }

        private void knows(List<String> onFile) {
            names.addAll(onFile);
            for (int number = 0; number < names.size(); number++) {
                numberByName.put(names.get(number), number);
            }
            namesOnFile = names.size();
        }
    }

    /** A record that waits, and how many names of its file have to be there before it. */
    private static final class Waiting {
        private final Target target;
        private final int names;
        private final byte[] payload;

        private Waiting(Target target, byte[] payload) {
            this.target = target;
            this.names = target.names.size();
            this.payload = payload;
        }
    }

    SeriesWriter(
            Path folder, Series series, SegmentFile.Opener opener, long mostWaitingBytes, Consumer<String> problems) {
        this.folder = folder;
        this.series = series;
        this.opener = opener;
        this.mostWaitingBytes = mostWaitingBytes;
        this.problems = problems;
    }

    /** Takes a record of this time, to be written by the next {@link #write}. */
    void add(long startMs, Function<ToIntFunction<String>, byte[]> record) {
        Target target = targetByStartMs.computeIfAbsent(series.at(startMs).startMs(), this::firstUsable);
        byte[] payload = record.apply(target::numberOf);
        waiting.add(new Waiting(target, payload));
        waitingBytes += payload.length;
        while (waitingBytes > mostWaitingBytes && waiting.size() > 1) {
            waitingBytes -= waiting.removeFirst().payload.length;
            givenUp++;
        }
    }

    /** The first file of this time that can be added to, or that is not there yet. */
    private Target firstUsable(long startMs) {
        Segment segment = series.at(startMs);
        while (true) {
            Target target = new Target(segment);
            if (!Files.exists(folder.resolve(segment.fileName()))) {
                return target;
            }
            try {
                open(target);
                return target;
            } catch (IOException unusable) {
                problems.accept(unusable.getMessage());
                segment = segment.another();
            }
        }
    }

    private SegmentFile open(Target target) throws IOException {
        List<String> onFile = new ArrayList<>();
        SegmentFile file = SegmentFile.append(
                folder.resolve(target.segment.fileName()),
                opener,
                (payload, end) -> {
                    if (RecordCodec.type(payload) == RecordCodec.NAMES) {
                        RecordCodec.readNames(payload, onFile);
                    }
                },
                problems);
        target.file = file;
        if (target.names.isEmpty()) {
            target.knows(onFile);
        }
        return file;
    }

    /**
     * Writes all that waits.
     *
     * @throws IOException if something can't be written: it waits on
     */
    void write() throws IOException {
        Target last = null;
        while (!waiting.isEmpty()) {
            Waiting next = waiting.element();
            Target target = next.target;
            last = target;
            SegmentFile file = target.file == null ? open(target) : target.file;
            if (target.namesOnFile < next.names) {
                file.add(RecordCodec.names(target.namesOnFile, target.names.subList(target.namesOnFile, next.names)));
                target.namesOnFile = next.names;
            }
            file.add(next.payload);
            waiting.remove();
            waitingBytes -= next.payload.length;
        }
        if (last != null) {
            closeAllBut(last);
        }
    }

    /** How many records were given up since this was last asked. */
    int takeGivenUp() {
        int since = givenUp;
        givenUp = 0;
        return since;
    }

    /** Closes the files of other times: they are opened again if need be. */
    private void closeAllBut(@Nullable Target kept) throws IOException {
        for (Target target : List.copyOf(targetByStartMs.values())) {
            if (target != kept) {
                targetByStartMs.remove(target.segment.startMs());
                close(target);
            }
        }
    }

    private static void close(Target target) throws IOException {
        if (target.file != null) {
            target.file.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeAllBut(null);
    }
}
