// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each DataNode allows of block moves, by its own word: its bandwidth as it answers {@code getBalancerBandwidth}, which {@code
 * dfsadmin -setBalancerBandwidth} may have changed since it started, and its quota of moves as it names it when it refuses one
 * ({@code DataXceiver}). Until it has said, the healer's own configuration stands for it. A DataNode is asked on another thread when it
 * is first needed, and again a minute later at the earliest; one that nobody has asked about for an hour is forgotten. Thread-safe.
 */
final class AskedAllowance implements DataNodeAllowance {

    private static final Logger LOG = LoggerFactory.getLogger(AskedAllowance.class);
    private static final Pattern QUOTA = Pattern.compile("quota=(\\d{1,6})\\b");
    private static final long ASK_AGAIN_MS = 60_000;
    private static final long FORGET_MS = 3_600_000;

    /** DataNodes hear of another bandwidth with their next heartbeat. */
    private static final long CHANGES_FOR_MS = 15_000;

    private static final long ASK_AFTER_CHANGE_MS = 3_000;
    private static final int ASKED_AT_ONCE = 8;

    /** More than any DataNode moves: one that says more has no limit. */
    private static final long MOST_BYTES_PER_SECOND = 1_000_000_000_000L;

    /** Asks one DataNode how many bytes per second block moves may take of it. */
    @FunctionalInterface
    interface BandwidthQuestion {
        long ask(DatanodeInfo node) throws IOException;
    }

    /**
     * @param hasAnswered whether its bandwidth is by its own word
     * @param askedMs when it was last asked, or when it refused a move before it was ever asked
     */
    private record Said(DataNodeLimits limits, boolean hasAnswered, long askedMs) {}

    private final DataNodeCache cache;
    private final BandwidthQuestion question;
    private final Executor threads;
    private final LongSupplier clockMs;
    private final DataNodeLimits otherwise;
    private final Map<DataNode.Id, Said> saidByNode = new ConcurrentHashMap<>();
    private volatile long changedMs = Long.MIN_VALUE / 2;
    private final Semaphore askedAtOnce = new Semaphore(ASKED_AT_ONCE);

    AskedAllowance(
            DataNodeCache cache,
            BandwidthQuestion question,
            Executor threads,
            Configuration conf,
            LongSupplier clockMs) {
        this.cache = cache;
        this.question = question;
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

    /** One that asks as the user that this is called as. */
    static BandwidthQuestion question(Configuration conf) throws IOException {
        boolean byHostname = conf.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        return node -> {
            ClientDatanodeProtocol asked =
                    DataNodeProxy.to(NetUtils.createSocketAddr(node.getIpcAddr(byHostname)), user, conf);
            try {
                return asked.getBalancerBandwidth();
            } finally {
                RPC.stopProxy(asked);
            }
        };
    }

    @Override
    public DataNodeLimits of(DataNode node) {
        Said said = saidByNode.get(node.id());
        long nowMs = clockMs.getAsLong();
        if (said == null || nowMs - said.askedMs() >= askAgainMs(nowMs)) {
            ask(node, nowMs);
        }
        return said == null ? otherwise : said.limits();
    }

    @Override
    public DataNodeLimits known(DataNode node) {
        Said said = saidByNode.get(node.id());
        return said == null ? otherwise : said.limits();
    }

    @Override
    public boolean hasSaid(DataNode node) {
        Said said = saidByNode.get(node.id());
        return said != null && said.hasAnswered();
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
            keep(node.id(), OptionalInt.empty(), Optional.empty(), Optional.of(clockMs.getAsLong()));
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
        OptionalInt moves = quota(text);
        if (moves.isPresent()) {
            // It is asked at the next opportunity, as one that was never asked.
            boolean isNew = !saidByNode.containsKey(node.id());
            long dueMs = clockMs.getAsLong() - ASK_AGAIN_MS;
            keep(node.id(), moves, Optional.empty(), isNew ? Optional.of(dueMs) : Optional.empty());
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
        keep(node.id(), OptionalInt.empty(), Optional.empty(), Optional.of(nowMs));
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
        }
    }

    private void answer(DataNode node, DatanodeInfo info) {
        try {
            long bytesPerSecond = question.ask(info);
            if (bytesPerSecond > 0) {
                long usable = Math.min(MOST_BYTES_PER_SECOND, bytesPerSecond);
                keep(node.id(), OptionalInt.empty(), Optional.of(usable), Optional.empty());
            }
        } catch (IOException | RuntimeException failure) {
            LOG.debug("DataNode {} does not say what block moves may take of it.", node, failure);
        }
    }

    private void keep(DataNode.Id node, OptionalInt moves, Optional<Long> bytesPerSecond, Optional<Long> askedMs) {
        saidByNode.merge(
                node,
                said(new Said(otherwise, false, Long.MIN_VALUE / 2), moves, bytesPerSecond, askedMs),
                (before, unused) -> said(before, moves, bytesPerSecond, askedMs));
    }

    private static Said said(Said before, OptionalInt moves, Optional<Long> bytesPerSecond, Optional<Long> askedMs) {
        return new Said(
                new DataNodeLimits(
                        moves.orElse(before.limits().moves()),
                        bytesPerSecond.orElse(before.limits().bytesPerSecond())),
                before.hasAnswered() || bytesPerSecond.isPresent(),
                askedMs.orElse(before.askedMs()));
    }
}
