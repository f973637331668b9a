// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Writes 64 KiB to each DataNode and reads what was written last, with one replica, over the network, and with every byte compared.
 *
 * <p>HDFS is told to put the replica on that DataNode (favoured nodes). Where it puts it elsewhere, because the DataNode is full, busy,
 * stale or drained, users' blocks go elsewhere as well: that is {@link Answer#NOT_ON_TARGET}, and no failure. So is a read whose replica
 * was moved or deleted, and one that ends while the NameNode is asked for the file, which has probes of its own. So is one for which there
 * is no thread since most of them wait for the NameNode. The next write, a minute later, is the new attempt.
 *
 * <p>A DataNode is to be asked less often than a probe may take: two writes at a time would be to one file. Thread-safe.
 */
final class DataNodeProbes {

    static final int BYTES = 64 * 1024;

    /** A probe that still waits for the NameNode then ends before the prober gives it up, which would be counted against the DataNode. */
    private static final Duration NAMENODE_MARGIN = Duration.ofMillis(500);

    private final DistributedFileSystem fs;
    private final ProbeFiles files;
    private final ProbeThreads threads;
    private final Duration limit;
    private final UnaryOperator<ProbeThreads.BlockingProbe> asUser;
    private final AtomicLong seeds;
    private final Map<String, DatanodeInfo> nodeByTarget = new ConcurrentHashMap<>();
    private final Map<String, Written> writtenByTarget = new ConcurrentHashMap<>();

    /** Of each probe that has a thread, whether its DataNode is asked just now. */
    private final Set<AtomicBoolean> running = ConcurrentHashMap.newKeySet();

    /**
     * Probes without targets.
     *
     * @param fs a client that does not try again
     * @param asUser has a probe run as the user that HDFS is to see
     * @param seed of what is written
     */
    DataNodeProbes(
            DistributedFileSystem fs,
            ProbeFiles files,
            ProbeThreads threads,
            Duration limit,
            UnaryOperator<ProbeThreads.BlockingProbe> asUser,
            long seed) {
        this.fs = fs;
        this.files = files;
        this.threads = threads;
        this.limit = limit;
        this.asUser = asUser;
        this.seeds = new AtomicLong(seed);
    }

    /** A file that is there whole. */
    private record Written(Path file, boolean second, long seed) {

        byte[] content() {
            byte[] content = new byte[BYTES];
            new SplittableRandom(seed).nextBytes(content);
            return content;
        }
    }

    /** From now on these DataNodes are the targets: those of them that are in service. */
    Set<String> nodes(DatanodeInfo[] live) {
        Map<String, DatanodeInfo> inService = Arrays.stream(live)
                .filter(DatanodeInfo::isInService)
                .collect(Collectors.toMap(DataNodeProbes::target, node -> node, (one, other) -> one));
        nodeByTarget.putAll(inService);
        nodeByTarget.keySet().retainAll(inService.keySet());
        writtenByTarget.keySet().retainAll(inService.keySet());
        return inService.keySet();
    }

    /**
     * Those in service among the dead ones of the NameNode's report. One whose address a live one has, after it lost its disks say, is not
     * dead.
     */
    static Set<String> dead(DatanodeInfo[] live, DatanodeInfo[] dead) {
        Set<String> inService = Arrays.stream(dead)
                .filter(DatanodeInfo::isInService)
                .map(DataNodeProbes::target)
                .collect(Collectors.toSet());
        Arrays.stream(live).map(DataNodeProbes::target).forEach(inService::remove);
        return inService;
    }

    static String target(DatanodeInfo node) {
        return node.getHostName() + ":" + node.getXferPort();
    }

    CompletableFuture<Answer> write(String target) {
        return run(target, this::write);
    }

    CompletableFuture<Answer> read(String target) {
        return run(target, this::read);
    }

    /** A probe of a DataNode. It says when the NameNode has answered, and from when on it is the DataNode that is waited for. */
    private interface DataNodeProbe {
        Answer ask(String target, DatanodeInfo node, AtomicBoolean dataNodeAsked) throws IOException;
    }

    private CompletableFuture<Answer> run(String target, DataNodeProbe probe) {
        DatanodeInfo node = nodeByTarget.get(target);
        if (node == null) {
            return CompletableFuture.completedFuture(Answer.NOT_ON_TARGET);
        }
        AtomicBoolean dataNodeAsked = new AtomicBoolean();
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        CompletableFuture<Answer> run;
        running.add(dataNodeAsked);
        try {
            run = threads.run(asUser.apply(() -> probe.ask(target, node, dataNodeAsked)), limit);
        } catch (RejectedExecutionException full) {
            running.remove(dataNodeAsked);
            if (isNameNodeWaitedFor()) {
                return CompletableFuture.completedFuture(Answer.NOT_ON_TARGET);
            }
            throw full;
        } catch (RuntimeException | Error noThread) {
            // Else it would be one that waits for the NameNode for ever.
            running.remove(dataNodeAsked);
            throw noThread;
        }
        var unused = run.whenComplete((said, failure) -> {
            running.remove(dataNodeAsked);
            if (failure == null) {
                answer.complete(said);
            } else if (dataNodeAsked.get()) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(Answer.NOT_ON_TARGET);
            }
        });
        threads.after(limit.minus(NAMENODE_MARGIN), () -> {
            if (!dataNodeAsked.get()) {
                answer.complete(Answer.NOT_ON_TARGET);
            }
        });
        return answer;
    }

    /** By most of those that have a thread. */
    private boolean isNameNodeWaitedFor() {
        long waiting = running.stream()
                .filter(isDataNodeAsked -> !isDataNodeAsked.get())
                .count();
        return 2 * waiting > running.size();
    }

    private Answer write(String target, DatanodeInfo node, AtomicBoolean dataNodeAsked) throws IOException {
        Written before = writtenByTarget.get(target);
        boolean second = before != null && !before.second();
        Written next = new Written(files.file(target, second), second, seeds.incrementAndGet());
        // The address is not resolved, or HDFS would be told whatever name the DNS has for it.
        InetSocketAddress address = InetSocketAddress.createUnresolved(node.getIpAddr(), node.getXferPort());
        try (OutputStream out = fs.createFile(next.file())
                .overwrite(true)
                .recursive()
                .replicate()
                .replication((short) 1)
                .favoredNodes(new InetSocketAddress[] {address})
                .build()) {
            dataNodeAsked.set(true);
            out.write(next.content());
        }
        dataNodeAsked.set(false);
        if (!isOn(
                node,
                fs.getClient()
                        .getLocatedBlocks(next.file().toUri().getPath(), 0)
                        .getLocatedBlocks())) {
            return Answer.NOT_ON_TARGET;
        }
        writtenByTarget.put(target, next);
        return Answer.RIGHT;
    }

    private Answer read(String target, DatanodeInfo node, AtomicBoolean dataNodeAsked) throws IOException {
        Written written = writtenByTarget.get(target);
        if (written == null) {
            return Answer.NOT_ON_TARGET;
        }
        try (HdfsDataInputStream in = (HdfsDataInputStream) fs.open(written.file())) {
            if (!isOn(node, in.getAllBlocks())) {
                return Answer.NOT_ON_TARGET;
            }
            dataNodeAsked.set(true);
            byte[] content = in.readNBytes(BYTES + 1);
            return Arrays.equals(content, written.content()) ? Answer.RIGHT : Answer.WRONG;
        } catch (FileNotFoundException deleted) {
            writtenByTarget.remove(target, written);
            return Answer.NOT_ON_TARGET;
        }
    }

    private static boolean isOn(DatanodeInfo node, List<LocatedBlock> blocks) {
        return blocks.size() == 1
                && blocks.get(0).getLocations().length == 1
                && blocks.get(0).getLocations()[0].getDatanodeUuid().equals(node.getDatanodeUuid());
    }
}
