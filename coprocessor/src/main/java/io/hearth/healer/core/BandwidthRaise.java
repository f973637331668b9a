// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.config.HumanFormat;
import io.hearth.common.log.RateLimitedLogger;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A higher bandwidth of block moves at all DataNodes for the time of one heal, and its end.
 *
 * <p><b>Goals.</b> What was in force before is in force again, however the heal ends, unless somebody has set another value meanwhile.
 *
 * <p><b>Constraints.</b> HDFS sets all DataNodes to one value and keeps no other: where the values in force differ nothing is raised.
 * A DataNode that restarts forgets what it was set to.
 *
 * <p><b>Algorithm.</b> The value in force is written to a file in HDFS, then the bandwidth is raised; at the end it is put back, then the
 * file is deleted. Both steps may be made again at any time. The file belongs to the healer that has the lock of healing: who gets the
 * lock and finds a file has it from a healer that ended without a word, and puts the value back, or takes it over for a raise of its own.
 * Where no DataNode has the raised value any more, at two looks, somebody has set another since: the file is deleted and that stays.
 *
 * <p>Used by the healing thread; {@link #lookAgain}, {@link #refusal} and {@link #raised} by anyone.
 */
public final class BandwidthRaise {

    private static final Logger LOG = LoggerFactory.getLogger(BandwidthRaise.class);
    private static final long AGAIN_MS = 10_000;

    /** So many failures in a row, and what is asked for is refused: a heal that waits for it would wait for ever. */
    private static final int FAILURES = 3;

    /** The DataNodes that a refusal names for each value. */
    private static final int NAMED = 3;

    private final RateLimitedLogger log = new RateLimitedLogger(LOG);
    private final DataNodeBandwidth dataNodes;
    private final OptionalLong wanted;
    private volatile Optional<Refusal> refusal = Optional.empty();
    private volatile boolean looksAgain = true;
    /** What was left by another healer, by the last look at the file. */
    private Optional<RaisedBandwidth> left = Optional.empty();
    /** What this one has raised. Without the lock it may be that another has put it back. */
    private volatile Optional<RaisedBandwidth> own = Optional.empty();

    private boolean isSettled;
    /** What is asked for was in force when this got the lock: nothing is to be raised, nor put back. */
    private boolean isInForceAlready;
    /** What another healer has left and no DataNode had, when last looked. */
    private Optional<RaisedBandwidth> superseded = Optional.empty();

    /** What this one has written to the file, whether it was set after that or not. */
    private Optional<RaisedBandwidth> written = Optional.empty();

    private boolean wasSettled;

    private int failures;
    private long notBeforeMs = Long.MIN_VALUE;

    /** @param wanted bytes per second to raise to; empty where nothing is to be raised, only what others have left is put back */
    public BandwidthRaise(DataNodeBandwidth dataNodes, OptionalLong wanted) {
        this.dataNodes = dataNodes;
        this.wanted = wanted;
    }

    /** Raises nothing and puts nothing back. */
    public static BandwidthRaise none() {
        return new BandwidthRaise(DataNodeBandwidth.NONE, OptionalLong.empty());
    }

    /** Has the file looked for at the next turn, whoever has the lock. */
    public void lookAgain() {
        looksAgain = true;
    }

    /** Why nothing is raised; empty where it is, will be, or was not asked for. */
    public Optional<Refusal> refusal() {
        return refusal;
    }

    /** What this healer has raised and has not put back itself; without the lock another may have put it back. */
    public Optional<RaisedBandwidth> raised() {
        return own;
    }

    /** Whether the lock is needed for this. */
    public boolean needsLock(long nowMs) {
        if (looksAgain && nowMs >= notBeforeMs) {
            look(nowMs);
        }
        return left.isPresent() || (wanted.isPresent() && refusal.isEmpty());
    }

    /** Whether moves may start, as far as this is concerned: what is asked for is in force. */
    public boolean mayMove() {
        return wanted.isEmpty() || (isSettled && refusal.isEmpty());
    }

    /**
     * Raises or puts back what is due.
     *
     * @param hasLock whether this healer has the lock of healing
     */
    public void doWork(boolean hasLock, long nowMs) {
        if (!hasLock) {
            isSettled = false;
            superseded = Optional.empty();
        } else if (!isSettled && nowMs >= notBeforeMs) {
            try {
                isSettled = settle();
                wasSettled |= isSettled;
                failures = isSettled ? 0 : failures;
                notBeforeMs = isSettled ? notBeforeMs : nowMs + AGAIN_MS;
            } catch (IOException | RuntimeException failure) {
                failed("A raised bandwidth of block moves could not be set or put back", failure, nowMs);
                if (++failures >= FAILURES && wanted.isPresent() && !wasSettled) {
                    // What it may have written is put back by the next look.
                    looksAgain = true;
                    refusal = Optional.of(new Refusal(
                            RefusalReason.UNREACHABLE,
                            "it could not be set, in " + FAILURES + " attempts: " + failure.getMessage()));
                }
            }
        }
    }

    /**
     * The healer ends: puts back what it has raised. What can't be put back now is left to the next healer.
     *
     * @param hasLock whether it has the lock of healing still
     */
    public void end(boolean hasLock) {
        if (own.isEmpty()) {
            return;
        }
        if (!hasLock || !isSettled) {
            LOG.warn(
                    "The bandwidth of block moves may stay at {}/s: this healer has lost the lock of healing. Whoever has it now,"
                            + " or the next healer when it starts, puts the bandwidth back to {}/s.",
                    HumanFormat.bytes(own.get().bytesPerSecond()),
                    HumanFormat.bytes(own.get().beforeBytesPerSecond()));
            return;
        }
        try {
            putBack(own.get());
        } catch (IOException | RuntimeException failure) {
            LOG.warn(
                    "The bandwidth of block moves stays at {}/s: it could not be put back to {}/s now, which the next healer"
                            + " does when it starts: {}",
                    HumanFormat.bytes(own.get().bytesPerSecond()),
                    HumanFormat.bytes(own.get().beforeBytesPerSecond()),
                    failure.toString());
        }
    }

    private void look(long nowMs) {
        try {
            boolean isOwn = isSettled && (own.isPresent() || isInForceAlready);
            left = isOwn ? Optional.empty() : dataNodes.loadRaised();
            looksAgain = false;
            isSettled = isOwn;
        } catch (IOException | RuntimeException failure) {
            failed("What is kept in HDFS of a raised bandwidth of block moves could not be read", failure, nowMs);
        }
    }

    private void failed(String what, Throwable failure, long nowMs) {
        notBeforeMs = nowMs + AGAIN_MS;
        log.warn("bandwidth", what + "; that is tried again in " + AGAIN_MS / 1_000 + " s: " + failure, nowMs);
    }

    /** Whether it is done; else DataNodes may not have been told yet, and are asked again. */
    private boolean settle() throws IOException {
        left = dataNodes.loadRaised();
        looksAgain = false;
        if (left.isPresent() && !left.equals(written) && isInForceNowhere(left.get())) {
            if (!superseded.equals(left)) {
                superseded = left;
                return false;
            }
            forgetLeft(left.get());
        }
        superseded = Optional.empty();
        own = Optional.empty();
        isInForceAlready = false;
        if (wanted.isPresent() && refusal.isEmpty()) {
            try {
                raise(wanted.getAsLong());
            } catch (RefusedException refused) {
                refusal = Optional.of(refused.refusal);
            }
        }
        if (left.isPresent() && own.isEmpty()) {
            putBackWhatIsLeft(left.get());
        }
        return true;
    }

    /**
     * Whether no DataNode has what was raised. After two looks somebody else has set another bandwidth: DataNodes are told with their next
     * heartbeat.
     */
    private boolean isInForceNowhere(RaisedBandwidth raised) {
        try {
            Map<String, Long> valueByNode = dataNodes.ask();
            return !valueByNode.isEmpty() && !valueByNode.containsValue(raised.bytesPerSecond());
        } catch (IOException | RuntimeException unknown) {
            return false;
        }
    }

    private void forgetLeft(RaisedBandwidth raised) throws IOException {
        dataNodes.forgetRaised();
        left = Optional.empty();
        LOG.info(
                "A healer that did not end in order had raised the bandwidth of block moves to {}/s. No DataNode has that any more, so"
                        + " that what they have stays.",
                HumanFormat.bytes(raised.bytesPerSecond()));
    }

    /** Who may not is no reason to keep the lock from who may. */
    private void putBackWhatIsLeft(RaisedBandwidth raised) throws IOException {
        try {
            putBack(raised);
        } catch (NotPermittedException notPermitted) {
            left = Optional.empty();
            LOG.warn(
                    "A healer that did not end in order has left the bandwidth of block moves at {}/s, and this one may not put"
                            + " it back ({}). Run hdfs dfsadmin -setBalancerBandwidth {} as an HDFS superuser.",
                    HumanFormat.bytes(raised.bytesPerSecond()),
                    notPermitted.getMessage(),
                    raised.beforeBytesPerSecond());
        }
    }

    private void raise(long bytesPerSecond) throws IOException, RefusedException {
        long before = left.isPresent() ? left.get().beforeBytesPerSecond() : inForce();
        if (bytesPerSecond < before) {
            throw new RefusedException(
                    RefusalReason.ARGUMENT,
                    HumanFormat.bytes(bytesPerSecond) + "/s is below the " + HumanFormat.bytes(before)
                            + "/s that the DataNodes allow now: it is raised only (hearth.heal.datanode.bandwidth lowers what"
                            + " healing takes)");
        }
        if (bytesPerSecond == before) {
            isInForceAlready = true;
            return;
        }
        RaisedBandwidth next = new RaisedBandwidth(before, bytesPerSecond);
        written = Optional.of(next);
        dataNodes.save(next);
        try {
            dataNodes.setAll(bytesPerSecond);
        } catch (NotPermittedException notPermitted) {
            if (left.isPresent()) {
                dataNodes.save(left.get());
            } else {
                dataNodes.forgetRaised();
            }
            throw new RefusedException(notPermitted);
        }
        own = Optional.of(next);
        left = Optional.empty();
        LOG.info(
                "The bandwidth of block moves is raised from {}/s to {}/s at all DataNodes until this heal is over.",
                HumanFormat.bytes(before),
                HumanFormat.bytes(bytesPerSecond));
    }

    /** The one value that all DataNodes have. */
    private long inForce() throws RefusedException {
        Map<String, Long> valueByNode;
        try {
            valueByNode = dataNodes.ask();
        } catch (NotPermittedException notPermitted) {
            throw new RefusedException(notPermitted);
        } catch (IOException | RuntimeException silent) {
            throw new RefusedException(RefusalReason.UNREACHABLE, String.valueOf(silent.getMessage()));
        }
        Map<Long, TreeMap<String, Long>> nodesByValue = new TreeMap<>();
        valueByNode.forEach((node, value) ->
                nodesByValue.computeIfAbsent(value, first -> new TreeMap<>()).put(node, value));
        if (nodesByValue.size() != 1) {
            throw new RefusedException(
                    RefusalReason.ARGUMENT,
                    nodesByValue.isEmpty()
                            ? "there is no live DataNode"
                            : "DataNodes allow different bandwidths, and HDFS sets all to one: " + words(nodesByValue)
                                    + ". Set one with hdfs dfsadmin -setBalancerBandwidth first.");
        }
        return nodesByValue.keySet().iterator().next();
    }

    private static String words(Map<Long, TreeMap<String, Long>> nodesByValue) {
        StringBuilder words = new StringBuilder();
        nodesByValue.forEach((value, nodes) -> words.append(words.isEmpty() ? "" : "; ")
                .append(HumanFormat.bytes(value))
                .append("/s on ")
                .append(String.join(", ", nodes.keySet().stream().limit(NAMED).toList()))
                .append(nodes.size() > NAMED ? " and " + (nodes.size() - NAMED) + " more" : ""));
        return words.toString();
    }

    private void putBack(RaisedBandwidth raised) throws IOException {
        dataNodes.setAll(raised.beforeBytesPerSecond());
        dataNodes.forgetRaised();
        own = Optional.empty();
        left = Optional.empty();
        LOG.info(
                "The bandwidth of block moves is put back from {}/s to {}/s at all DataNodes.",
                HumanFormat.bytes(raised.bytesPerSecond()),
                HumanFormat.bytes(raised.beforeBytesPerSecond()));
    }

    /** What block moves may take of DataNodes, and what is kept of it in HDFS. */
    public interface DataNodeBandwidth {

        /** Where nothing can be raised. */
        DataNodeBandwidth NONE = new DataNodeBandwidth() {};

        /**
         * The bytes per second in force, by DataNode; asks every live one.
         *
         * @throws NotPermittedException if that is for HDFS superusers only
         * @throws IOException if some DataNode does not say, with one line that names it
         */
        default Map<String, Long> ask() throws IOException {
            return Map.of();
        }

        /**
         * Has the NameNode tell every DataNode with its next heartbeat.
         *
         * @throws NotPermittedException if that is for HDFS superusers only
         */
        default void setAll(long bytesPerSecond) throws IOException {}

        /** What was kept last; empty where nothing is kept. */
        default Optional<RaisedBandwidth> loadRaised() throws IOException {
            return Optional.empty();
        }

        default void save(RaisedBandwidth raised) throws IOException {}

        default void forgetRaised() throws IOException {}
    }

    /** A bandwidth that was raised, and what it was before, in bytes per second. Immutable. */
    public record RaisedBandwidth(long beforeBytesPerSecond, long bytesPerSecond) {}

    /** The privilege that raising needs is missing; the message is one line. */
    public static final class NotPermittedException extends IOException {

        private static final long serialVersionUID = 1;

        public NotPermittedException(String line) {
            super(line);
        }
    }

    /** Why nothing was raised. Immutable. */
    public record Refusal(RefusalReason reason, String line) {}

    /** What a refusal is about. */
    public enum RefusalReason {
        /** What was asked for is not possible. */
        ARGUMENT,
        /** The user is no superuser of HDFS. */
        NOT_PERMITTED,
        /** Some DataNode did not answer. */
        UNREACHABLE
    }

    private static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1;

        private final transient Refusal refusal;

        RefusedException(RefusalReason reason, String line) {
            super(line);
            this.refusal = new Refusal(reason, line);
        }

        RefusedException(NotPermittedException cause) {
            super(cause);
            this.refusal = new Refusal(RefusalReason.NOT_PERMITTED, String.valueOf(cause.getMessage()));
        }
    }
}
