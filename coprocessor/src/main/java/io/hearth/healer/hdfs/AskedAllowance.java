// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.hdfs.DataNodeProxy.Question;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each DataNode allows of block moves, by its own word: its bandwidth as it answers {@code getBalancerBandwidth}, which {@code
 * dfsadmin -setBalancerBandwidth} may have changed since it started, and its quota of moves, by {@link DataNodeQuota}. Until it has said,
 * the healer's own configuration stands for it. A DataNode is asked on another thread when it is first needed, and again a minute later
 * at the earliest, for its quota ten minutes later; one that nobody has asked about for an hour is forgotten. Thread-safe.
 *
 * <p>The quota that it names when it refuses a move ({@code DataXceiver}) was in force just then, and holds at once. It may be of the past
 * too: after {@value #CALM_MS} ms without a refusal one more move is allowed every {@value #RISE_EVERY_MS} ms, up to what the DataNode or
 * else the configuration says, until it refuses again. Once the DataNode says another quota than before, older refusals do not count.
 */
final class AskedAllowance implements DataNodeAllowance {

    private static final Logger LOG = LoggerFactory.getLogger(AskedAllowance.class);
    private static final Pattern QUOTA = Pattern.compile("quota=(\\d{1,6})\\b");
    private static final long ASK_AGAIN_MS = 60_000;
    private static final long ASK_MOVES_AGAIN_MS = 600_000;
    private static final long FORGET_MS = 3_600_000;
    private static final long CALM_MS = 600_000;
    private static final long RISE_EVERY_MS = 60_000;
    private static final long NEVER_MS = Long.MIN_VALUE / 2;

    /** DataNodes hear of another bandwidth with their next heartbeat. */
    private static final long CHANGES_FOR_MS = 15_000;

    private static final long ASK_AFTER_CHANGE_MS = 3_000;
    private static final int ASKED_AT_ONCE = 8;

    /** More than any DataNode moves: one that says more has no limit. */
    private static final long MOST_BYTES_PER_SECOND = 1_000_000_000_000L;

    /** Asks one DataNode how many block moves at a time it takes part in; empty where it does not say. */
    @FunctionalInterface
    interface MovesQuestion {
        OptionalInt ask(DatanodeInfo node);
    }

    /**
     * What one DataNode has said. Immutable.
     *
     * @param moves its quota, as it says when it is asked
     * @param refusal the last one that named a quota
     * @param askedMs when it was last asked, or when it refused a move before it was ever asked
     * @param movesAskedMs when it was last asked for its quota
     */
    private record Said(
            OptionalLong bytesPerSecond,
            OptionalInt moves,
            Optional<Refusal> refusal,
            long askedMs,
            long movesAskedMs) {

        static final Said NOTHING =
                new Said(OptionalLong.empty(), OptionalInt.empty(), Optional.empty(), NEVER_MS, NEVER_MS);

        Said withBandwidth(long answered) {
            return new Said(OptionalLong.of(answered), moves, refusal, askedMs, movesAskedMs);
        }

        /** @param nowMs when it was asked; what it refused since then is newer than its answer */
        Said withMoves(OptionalInt answered, long nowMs) {
            boolean isAnother = answered.isPresent() && moves.isPresent() && !answered.equals(moves);
            return new Said(
                    bytesPerSecond,
                    answered.isPresent() ? answered : moves,
                    refusal.filter(last -> !isAnother || last.atMs() >= nowMs),
                    askedMs,
                    nowMs);
        }

        Said asked(long nowMs) {
            return new Said(bytesPerSecond, moves, refusal, nowMs, movesAskedMs);
        }

        /** It is asked at the next opportunity, as one that was never asked. */
        Said refused(int quota, long nowMs) {
            long dueMs = askedMs == NEVER_MS ? nowMs - ASK_AGAIN_MS : askedMs;
            return new Said(bytesPerSecond, moves, Optional.of(new Refusal(quota, nowMs)), dueMs, movesAskedMs);
        }

        /** @param otherwise for what it has not said */
        DataNodeLimits limits(DataNodeLimits otherwise, long nowMs) {
            int allowed = moves.orElse(otherwise.moves());
            return new DataNodeLimits(
                    refusal.map(last -> last.moves(allowed, nowMs)).orElse(allowed),
                    bytesPerSecond.orElse(otherwise.bytesPerSecond()));
        }
    }

    /** A DataNode has refused a move because it took part in as many as its quota. Immutable. */
    private record Refusal(int quota, long atMs) {

        int moves(int allowed, long nowMs) {
            long risen = Math.max(0, (nowMs - atMs - CALM_MS) / RISE_EVERY_MS);
            return (int) Math.max(quota, Math.min(allowed, quota + risen));
        }
    }

    private final DataNodeCache cache;
    private final Question<Long> bandwidthQuestion;
    private final MovesQuestion movesQuestion;
    private final Executor threads;
    private final LongSupplier clockMs;
    private final DataNodeLimits otherwise;
    private final Map<DataNode.Id, Said> saidByNode = new ConcurrentHashMap<>();
    private volatile long changedMs = NEVER_MS;
    private final Semaphore askedAtOnce = new Semaphore(ASKED_AT_ONCE);

    AskedAllowance(
            DataNodeCache cache,
            Question<Long> bandwidthQuestion,
            MovesQuestion movesQuestion,
            Executor threads,
            Configuration conf,
            LongSupplier clockMs) {
        this.cache = cache;
        this.bandwidthQuestion = bandwidthQuestion;
        this.movesQuestion = movesQuestion;
        this.threads = threads;
        this.clockMs = clockMs;
        this.otherwise = new DataNodeLimits(
                conf.getInt(
                        DFSConfigKeys.DFS_DATANODE_BALANCE_MAX_NUM_CONCURRENT_MOVES_KEY,
                        DFSConfigKeys.DFS_DATANODE_BALANCE_MAX_NUM_CONCURRENT_MOVES_DEFAULT),
                Math.min(
                        MOST_BYTES_PER_SECOND,
                        conf.getLongBytes(
                                DFSConfigKeys.DFS_DATANODE_BALANCE_BANDWIDTHPERSEC_KEY,
                                DFSConfigKeys.DFS_DATANODE_BALANCE_BANDWIDTHPERSEC_DEFAULT)));
    }

    @Override
    public DataNodeLimits of(DataNode node) {
        Said said = saidByNode.get(node.id());
        long nowMs = clockMs.getAsLong();
        if (said == null || nowMs - said.askedMs() >= askAgainMs(nowMs)) {
            ask(node, nowMs);
        }
        return said == null ? otherwise : said.limits(otherwise, nowMs);
    }

    @Override
    public DataNodeLimits known(DataNode node) {
        Said said = saidByNode.get(node.id());
        return said == null ? otherwise : said.limits(otherwise, clockMs.getAsLong());
    }

    @Override
    public boolean hasSaid(DataNode node) {
        Said said = saidByNode.get(node.id());
        return said != null && said.bytesPerSecond().isPresent();
    }

    /** Asks these DataNodes, whenever they were asked before, and returns when each has answered or has failed to. */
    void askNow(Collection<DataNode> nodes) throws InterruptedException {
        CountDownLatch open = new CountDownLatch(nodes.size());
        for (DataNode node : nodes) {
            Optional<DatanodeInfo> info = cache.info(node);
            if (info.isEmpty()) {
                open.countDown();
                continue;
            }
            askedAtOnce.acquire();
            asked(node, clockMs.getAsLong());
            run(node, info.get(), open::countDown);
        }
        open.await();
    }

    /** What was said before may be of the past: for a while it is asked for again every few seconds. */
    void changed() {
        changedMs = clockMs.getAsLong();
    }

    private long askAgainMs(long nowMs) {
        return nowMs - changedMs < CHANGES_FOR_MS ? ASK_AFTER_CHANGE_MS : ASK_AGAIN_MS;
    }

    /** Takes the number of moves in, if there is one, that a DataNode names when it refuses one more. */
    void refused(DataNode node, String text) {
        OptionalInt quota = quota(text);
        if (quota.isPresent()) {
            long nowMs = clockMs.getAsLong();
            change(node, said -> said.refused(quota.getAsInt(), nowMs));
        }
    }

    static OptionalInt quota(String refusal) {
        Matcher named = QUOTA.matcher(refusal);
        return named.find() ? OptionalInt.of(Integer.parseInt(named.group(1))) : OptionalInt.empty();
    }

    private void ask(DataNode node, long nowMs) {
        Optional<DatanodeInfo> info = cache.info(node);
        if (info.isEmpty() || !askedAtOnce.tryAcquire()) {
            return;
        }
        saidByNode.values().removeIf(said -> nowMs - said.askedMs() > FORGET_MS);
        asked(node, nowMs);
        run(node, info.get(), () -> {});
    }

    /** Asks on another thread, by a permit that is given back. */
    private void run(DataNode node, DatanodeInfo info, Runnable atEnd) {
        try {
            threads.execute(() -> {
                try {
                    answer(node, info);
                } finally {
                    askedAtOnce.release();
                    atEnd.run();
                }
            });
        } catch (RejectedExecutionException stopping) {
            askedAtOnce.release();
            atEnd.run();
        } catch (Error noThread) {
            // This outlives the loop that ends with it: without the permits nobody would be asked any more.
            askedAtOnce.release();
            atEnd.run();
            throw noThread;
        }
    }

    private void answer(DataNode node, DatanodeInfo info) {
        try {
            long bytesPerSecond = bandwidthQuestion.ask(info);
            if (bytesPerSecond > 0) {
                long usable = Math.min(MOST_BYTES_PER_SECOND, bytesPerSecond);
                change(node, said -> said.withBandwidth(usable));
            }
            answerMoves(node, info);
        } catch (Throwable failure) {
            LOG.debug("DataNode {} does not say what block moves may take of it.", node, failure);
        }
    }

    /** A quota changes rarely. */
    private void answerMoves(DataNode node, DatanodeInfo info) {
        long nowMs = clockMs.getAsLong();
        Said before = saidByNode.getOrDefault(node.id(), Said.NOTHING);
        if (nowMs - before.movesAskedMs() >= ASK_MOVES_AGAIN_MS) {
            // Whatever comes of it: it is not asked again at once.
            change(node, said -> said.withMoves(OptionalInt.empty(), nowMs));
            OptionalInt moves = movesQuestion.ask(info);
            change(node, said -> said.withMoves(moves, nowMs));
        }
    }

    private void asked(DataNode node, long nowMs) {
        change(node, said -> said.asked(nowMs));
    }

    private void change(DataNode node, UnaryOperator<Said> how) {
        saidByNode.compute(node.id(), (id, before) -> how.apply(before == null ? Said.NOTHING : before));
    }
}
