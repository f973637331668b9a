// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import io.hearth.slo.event.ClusterEvent;
import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.EventKind;
import io.hearth.slo.event.EventMinute;
import io.hearth.slo.probe.ProbeKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * What is stored, as bytes of one record. Servers are numbers, which records of names give their meaning, and stand in columns: numbers
 * that are mostly the same are next to each other, and deflate to next to nothing. Numbers are big-endian, or of 7 bits a byte, least
 * first (varints). Stateless.
 *
 * <pre>
 * names     1, first number (int), names one a line (UTF-8)
 * minute    2, start in ms (long), length of the rest when inflated (int), deflated: how many kinds, and for each kind
 *              its ordinal (byte), rows, servers (ascending, as differences), due, unanswered, how many limits, limits in us,
 *              for each limit from the longest: good for the next longer one - good for this,
 *              bytes of the cluster's histogram, the histogram
 * latencies 3, start in ms (long), file they were added up from (length, UTF-8), where in it that ended (long),
 *              length of the rest when inflated (int), deflated: how many kinds, and for each kind
 *              its ordinal (byte), rows, servers, unanswered, bytes of each histogram, the histograms
 * events    4, start in ms (long), length of the rest when inflated (int), deflated: how many events, and for each event
 *              the number of its kind (byte), by whom (byte), ms since the start, the number of where, how many, size,
 *              bytes of the detail, the detail (UTF-8)
 * timeline  5, start in ms (long), length of the rest when inflated (int), deflated: how many timeouts, and for each timeout
 *              its ms, unanswered, stale, bytes of the histogram, the histogram
 * datanodes 6, start in ms (long), length of the rest when inflated (int), deflated: how many are live, their numbers (ascending, as
 *              differences), how many are dead, their numbers likewise
 * </pre>
 */
final class RecordCodec {

    static final byte NAMES = 1;
    static final byte MINUTE = 2;
    static final byte LATENCIES = 3;
    static final byte EVENTS = 4;
    static final byte TIMELINE = 5;
    static final byte DATANODES = 6;

    private static final int VARINT_BITS = 7;
    private static final int VARINT_MORE = 0x80;
    private static final int MOST_INFLATED_BYTES = 1 << 28;

    private RecordCodec() {}

    /**
     * Which part of which file of minutes the hour in a record was added up from.
     *
     * @param file empty for a record that was not added up
     * @param endOffset the first byte of the file that is not in it
     */
    record Source(String file, long endOffset) {

        static final Source NONE = new Source("", 0);
    }

    static byte type(ByteBuffer payload) {
        return payload.get(0);
    }

    /** The start of what a record of the other types is about, without inflating it. */
    static long startMs(ByteBuffer payload) {
        return payload.getLong(1);
    }

    static byte[] names(int first, List<String> names) {
        byte[] text = String.join("\n", names).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Integer.BYTES + text.length)
                .put(NAMES)
                .putInt(first)
                .put(text)
                .array();
    }

    /** Puts the names of a record at their numbers. */
    static void readNames(ByteBuffer payload, List<String> names) throws IOException {
        ByteBuffer in = payload.duplicate().position(1);
        if (in.getInt() != names.size()) {
            throw new IOException("names are missing before it");
        }
        names.addAll(List.of(StandardCharsets.UTF_8.decode(in).toString().split("\n", -1)));
    }

    static byte[] minute(ClusterMinute minute, ToIntFunction<String> numberOf) {
        Columns out = new Columns();
        out.varint(minute.counts().size());
        for (ProbeKind kind : ProbeKind.values()) {
            ServerCounts counts = minute.counts().get(kind);
            LatencyHistogram latencies = minute.latencies().get(kind);
            if (counts != null && latencies != null) {
                out.write(kind.ordinal());
                counts(out, counts, numberOf);
                byte[] histogram = latencies.encoded();
                out.varint(histogram.length);
                out.writeBytes(histogram);
            }
        }
        return out.deflated(ByteBuffer.allocate(1 + Long.BYTES)
                .put(MINUTE)
                .putLong(minute.startMs())
                .array());
    }

    private static void counts(Columns out, ServerCounts counts, ToIntFunction<String> numberOf) {
        int rows = counts.rows();
        int[] order = sortedByNumber(rows, row -> numberOf.applyAsInt(counts.target(row)), out);
        for (int row : order) {
            out.varint(counts.due(row));
        }
        for (int row : order) {
            out.varint(counts.due(row) - counts.answered(row));
        }
        long[] limits = counts.limitsMicros();
        out.varint(limits.length);
        for (long limit : limits) {
            out.varint(limit);
        }
        for (int place = limits.length - 1; place >= 0; place--) {
            for (int row : order) {
                long longer = place == limits.length - 1 ? counts.answered(row) : counts.good(place + 1, row);
                out.varint(longer - counts.good(place, row));
            }
        }
    }

    /** Writes how many rows there are and their numbers, ascending; the rows in that order. */
    private static int[] sortedByNumber(int rows, IntFunction<Integer> numberOf, Columns out) {
        long[] byNumber = new long[rows];
        for (int row = 0; row < rows; row++) {
            byNumber[row] = (long) numberOf.apply(row) << Integer.SIZE | row;
        }
        Arrays.sort(byNumber);
        int[] order = new int[rows];
        out.varint(rows);
        long last = 0;
        for (int place = 0; place < rows; place++) {
            long number = byNumber[place] >>> Integer.SIZE;
            out.varint(number - last);
            last = number;
            order[place] = (int) byNumber[place];
        }
        return order;
    }

    static ClusterMinute readMinute(ByteBuffer payload, List<String> names) throws IOException {
        ByteBuffer in = payload.duplicate().position(1);
        long startMs = in.getLong();
        return reading(in, columns -> {
            Map<ProbeKind, ServerCounts> counts = new EnumMap<>(ProbeKind.class);
            Map<ProbeKind, LatencyHistogram> latencies = new EnumMap<>(ProbeKind.class);
            for (int left = count(columns); left > 0; left--) {
                ProbeKind kind = ProbeKind.values()[columns.get()];
                ServerCounts ofKind = readCounts(columns, names);
                counts.put(kind, ofKind);
                latencies.put(kind, histogram(columns, count(columns), ofKind.due() - ofKind.answered()));
            }
            return new ClusterMinute(startMs, counts, latencies);
        });
    }

    private static ServerCounts readCounts(ByteBuffer in, List<String> names) {
        String[] targets = targets(in, names);
        long[] due = column(in, targets.length);
        long[] answered = column(in, targets.length);
        for (int row = 0; row < targets.length; row++) {
            answered[row] = due[row] - answered[row];
        }
        long[] limits = column(in, count(in));
        long[][] good = new long[limits.length][];
        long[] longer = answered;
        for (int place = limits.length - 1; place >= 0; place--) {
            good[place] = column(in, targets.length);
            for (int row = 0; row < targets.length; row++) {
                good[place][row] = longer[row] - good[place][row];
            }
            longer = good[place];
        }
        return new ServerCounts(targets, due, answered, limits, good);
    }

    static byte[] latencies(ServerLatencies latencies, Source source, ToIntFunction<String> numberOf) {
        Columns out = new Columns();
        out.varint(latencies.byKindAndTarget().size());
        latencies.byKindAndTarget().forEach((kind, byTarget) -> {
            out.write(kind.ordinal());
            List<String> targets = List.copyOf(byTarget.keySet());
            List<LatencyHistogram> histograms = List.copyOf(byTarget.values());
            int[] order = sortedByNumber(targets.size(), row -> numberOf.applyAsInt(targets.get(row)), out);
            List<byte[]> encoded = new ArrayList<>(order.length);
            for (int row : order) {
                out.varint(histograms.get(row).due() - histograms.get(row).answered());
                encoded.add(histograms.get(row).encoded());
            }
            encoded.forEach(bytes -> out.varint(bytes.length));
            encoded.forEach(out::writeBytes);
        });
        byte[] file = source.file().getBytes(StandardCharsets.UTF_8);
        return out.deflated(ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES + file.length + Long.BYTES)
                .put(LATENCIES)
                .putLong(latencies.startMs())
                .putInt(file.length)
                .put(file)
                .putLong(source.endOffset())
                .array());
    }

    static Source source(ByteBuffer payload) {
        return readSource(payload.duplicate().position(1 + Long.BYTES));
    }

    private static Source readSource(ByteBuffer in) {
        byte[] file = new byte[in.getInt()];
        in.get(file);
        return new Source(new String(file, StandardCharsets.UTF_8), in.getLong());
    }

    static ServerLatencies readLatencies(ByteBuffer payload, List<String> names) throws IOException {
        ByteBuffer in = payload.duplicate().position(1);
        long startMs = in.getLong();
        readSource(in);
        return reading(in, columns -> {
            ServerLatencies latencies = ServerLatencies.empty(startMs);
            for (int left = count(columns); left > 0; left--) {
                ProbeKind kind = ProbeKind.values()[columns.get()];
                String[] targets = targets(columns, names);
                long[] unanswered = column(columns, targets.length);
                long[] lengths = column(columns, targets.length);
                Map<String, LatencyHistogram> byTarget = new TreeMap<>();
                for (int row = 0; row < targets.length; row++) {
                    byTarget.put(targets[row], histogram(columns, Math.toIntExact(lengths[row]), unanswered[row]));
                }
                latencies.byKindAndTarget().put(kind, byTarget);
            }
            return latencies;
        });
    }

    static byte[] events(EventMinute minute, ToIntFunction<String> numberOf) {
        Columns out = new Columns();
        out.varint(minute.events().size());
        for (ClusterEvent event : minute.events()) {
            out.write(event.kind().number());
            out.write(event.by().ordinal());
            out.varint(event.atMs() - minute.startMs());
            out.varint(numberOf.applyAsInt(event.where()));
            out.varint(event.amount().count());
            out.varint(event.amount().size());
            byte[] detail = event.detail().getBytes(StandardCharsets.UTF_8);
            out.varint(detail.length);
            out.writeBytes(detail);
        }
        return out.deflated(ByteBuffer.allocate(1 + Long.BYTES)
                .put(EVENTS)
                .putLong(minute.startMs())
                .array());
    }

    static EventMinute readEvents(ByteBuffer payload, List<String> names) throws IOException {
        ByteBuffer in = payload.duplicate().position(1);
        long startMs = in.getLong();
        return reading(in, columns -> {
            List<ClusterEvent> events = new ArrayList<>();
            for (int left = count(columns); left > 0; left--) {
                EventKind kind = EventKind.ofNumber(columns.get());
                By by = By.values()[columns.get()];
                long atMs = startMs + varint(columns);
                String where = names.get(count(columns));
                Amount amount = new Amount(varint(columns), varint(columns));
                events.add(new ClusterEvent(atMs, kind, where, amount, by, text(columns)));
            }
            return new EventMinute(startMs, events);
        });
    }

    static byte[] timeline(TimelineMinute minute) {
        Columns out = new Columns();
        out.varint(minute.byTimeoutMs().size());
        minute.byTimeoutMs().forEach((timeoutMs, reads) -> {
            out.varint(timeoutMs);
            out.varint(reads.latencies().due() - reads.latencies().answered());
            out.varint(reads.stale());
            byte[] histogram = reads.latencies().encoded();
            out.varint(histogram.length);
            out.writeBytes(histogram);
        });
        return out.deflated(ByteBuffer.allocate(1 + Long.BYTES)
                .put(TIMELINE)
                .putLong(minute.startMs())
                .array());
    }

    static TimelineMinute readTimeline(ByteBuffer payload) throws IOException {
        ByteBuffer in = payload.duplicate().position(1);
        long startMs = in.getLong();
        return reading(in, columns -> {
            SortedMap<Integer, TimelineLatency> byTimeoutMs = new TreeMap<>();
            for (int left = count(columns); left > 0; left--) {
                int timeoutMs = count(columns);
                long unanswered = varint(columns);
                long stale = varint(columns);
                byTimeoutMs.put(timeoutMs, new TimelineLatency(histogram(columns, count(columns), unanswered), stale));
            }
            return new TimelineMinute(startMs, byTimeoutMs);
        });
    }

    static byte[] dataNodes(DataNodeMinute minute, ToIntFunction<String> numberOf) {
        Columns out = new Columns();
        for (Set<String> nodes : List.of(minute.live(), minute.dead())) {
            List<String> names = List.copyOf(nodes);
            sortedByNumber(names.size(), row -> numberOf.applyAsInt(names.get(row)), out);
        }
        return out.deflated(ByteBuffer.allocate(1 + Long.BYTES)
                .put(DATANODES)
                .putLong(minute.startMs())
                .array());
    }

    static DataNodeMinute readDataNodes(ByteBuffer payload, List<String> names) throws IOException {
        ByteBuffer in = payload.duplicate().position(1);
        long startMs = in.getLong();
        return reading(
                in,
                columns -> new DataNodeMinute(
                        startMs,
                        new TreeSet<>(List.of(targets(columns, names))),
                        new TreeSet<>(List.of(targets(columns, names)))));
    }

    private static String text(ByteBuffer in) {
        int bytes = count(in);
        ByteBuffer text = in.slice(in.position(), bytes);
        in.position(in.position() + bytes);
        return StandardCharsets.UTF_8.decode(text).toString();
    }

    private static LatencyHistogram histogram(ByteBuffer in, int bytes, long unanswered) {
        ByteBuffer encoded = in.slice(in.position(), bytes);
        in.position(in.position() + bytes);
        return LatencyHistogram.decoded(encoded, unanswered);
    }

    private static String[] targets(ByteBuffer in, List<String> names) {
        String[] targets = new String[count(in)];
        int number = 0;
        for (int row = 0; row < targets.length; row++) {
            number += count(in);
            targets[row] = names.get(number);
        }
        return targets;
    }

    private static long[] column(ByteBuffer in, int rows) {
        long[] column = new long[rows];
        for (int row = 0; row < rows; row++) {
            column[row] = varint(in);
        }
        return column;
    }

    private static int count(ByteBuffer in) {
        return Math.toIntExact(varint(in));
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
            byte part = in.get();
            value |= (long) (part & ~VARINT_MORE & 0xff) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw new ArithmeticException("a number of more than 64 bits");
    }

    private interface Reading<T> {
        T from(ByteBuffer columns);
    }

    private static <T> T reading(ByteBuffer in, Reading<T> reading) throws IOException {
        try {
            return reading.from(inflated(in));
        } catch (BufferUnderflowException
                | IndexOutOfBoundsException
                | ArithmeticException
                | IllegalArgumentException
                | DataFormatException wrong) {
            throw new IOException("what it holds makes no sense (" + wrong + ")", wrong);
        }
    }

    private static ByteBuffer inflated(ByteBuffer in) throws DataFormatException, IOException {
        int length = in.getInt();
        if (length < 0 || length > MOST_INFLATED_BYTES) {
            throw new IOException("it says that it has " + length + " bytes");
        }
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(in);
            byte[] bytes = new byte[length];
            if (inflater.inflate(bytes) != length) {
                throw new IOException("it has less than " + length + " bytes");
            }
            return ByteBuffer.wrap(bytes);
        } finally {
            inflater.end();
        }
    }

    /** Bytes of columns. */
    private static final class Columns extends ByteArrayOutputStream {

        void varint(long value) {
            long left = value;
            while (left >>> VARINT_BITS != 0) {
                write((int) left | VARINT_MORE);
                left >>>= VARINT_BITS;
            }
            write((int) left);
        }

        /** The whole record: this head, the length, and the columns, deflated. */
        byte[] deflated(byte[] head) {
            Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
            try {
                deflater.setInput(buf, 0, count);
                deflater.finish();
                ByteArrayOutputStream out = new ByteArrayOutputStream(count / 2 + Long.SIZE);
                out.writeBytes(head);
                out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
                byte[] part = new byte[1 << 16];
                while (!deflater.finished()) {
                    out.write(part, 0, deflater.deflate(part));
                }
                return out.toByteArray();
            } finally {
                deflater.end();
            }
        }
    }
}
