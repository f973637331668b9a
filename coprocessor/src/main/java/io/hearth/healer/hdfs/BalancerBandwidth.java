// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.core.BandwidthRaise.DataNodeBandwidth;
import io.hearth.healer.core.BandwidthRaise.NotPermittedException;
import io.hearth.healer.core.BandwidthRaise.RaisedBandwidth;
import io.hearth.healer.hdfs.DataNodeProxy.Question;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.AccessControlException;

/**
 * The bandwidth of block moves at all DataNodes, by {@code getBalancerBandwidth} of each of them and {@code setBalancerBandwidth} of the
 * NameNode, and the file {@code .hearth/healer.bandwidth} that keeps what was in force before. One thread at a time.
 */
final class BalancerBandwidth implements DataNodeBandwidth {

    private static final String FILE = "healer.bandwidth";

    /** Lines that may follow are of a newer version. */
    private static final Pattern KEPT = Pattern.compile("before (\\d{1,18})\nraised (\\d{1,18})\n((?:[^\n]+\n)*)");

    private static final int ASKED_AT_ONCE = 32;

    private final DFSClient client;
    private final Question<Long> question;
    private final Executor threads;
    private final Runnable onChange;
    private final SmallFile file;
    /** What a newer version has written besides, which this one writes again as it is. */
    private String newerLines = "";

    /** @param onChange told when DataNodes will allow something else than before */
    BalancerBandwidth(
            DistributedFileSystem fs, Path rootDir, Question<Long> question, Executor threads, Runnable onChange) {
        this.client = fs.getClient();
        this.question = question;
        this.threads = threads;
        this.onChange = onChange;
        this.file = new SmallFile(fs, rootDir, FILE);
    }

    @Override
    public Map<String, Long> ask() throws IOException {
        DatanodeInfo[] live;
        try {
            live = client.datanodeReport(DatanodeReportType.LIVE);
        } catch (IOException failure) {
            throw explained(failure);
        }
        Map<String, Long> valueByNode = new TreeMap<>();
        for (int first = 0; first < live.length; first += ASKED_AT_ONCE) {
            Map<String, CompletableFuture<Long>> answers = new TreeMap<>();
            for (int node = first; node < Math.min(live.length, first + ASKED_AT_ONCE); node++) {
                DatanodeInfo asked = live[node];
                answers.put(DataNodeCache.address(asked), CompletableFuture.supplyAsync(() -> ask(asked), threads));
            }
            for (Map.Entry<String, CompletableFuture<Long>> answer : answers.entrySet()) {
                valueByNode.put(answer.getKey(), value(answer.getKey(), answer.getValue()));
            }
        }
        return valueByNode;
    }

    private long ask(DatanodeInfo node) {
        try {
            return question.ask(node);
        } catch (IOException silent) {
            throw new CompletionException(silent);
        }
    }

    private static long value(String node, CompletableFuture<Long> answer) throws IOException {
        try {
            return answer.join();
        } catch (CompletionException failure) {
            Exception cause = failure.getCause() instanceof IOException silent ? silent : failure;
            throw new IOException(
                    "DataNode " + node + " does not say what block moves may take of it: "
                            + NameNodeCalls.firstLine(NameNodeCalls.unwrapped(cause)),
                    failure);
        }
    }

    @Override
    public void setAll(long bytesPerSecond) throws IOException {
        try {
            client.setBalancerBandwidth(bytesPerSecond);
        } catch (IOException failure) {
            throw explained(failure);
        }
        onChange.run();
    }

    private static IOException explained(IOException failure) {
        Exception cause = NameNodeCalls.unwrapped(failure);
        return cause instanceof AccessControlException
                ? new NotPermittedException("only an HDFS superuser may set the bandwidth of DataNodes ("
                        + NameNodeCalls.firstLine(cause)
                        + "). Run it as the user of the NameNode, or add its user to dfs.permissions.superusergroup.")
                : failure;
    }

    @Override
    public Optional<RaisedBandwidth> loadRaised() throws IOException {
        Optional<String> text = file.read();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher kept = KEPT.matcher(text.get());
        if (kept.matches()) {
            newerLines = kept.group(3);
            return Optional.of(new RaisedBandwidth(Long.parseLong(kept.group(1)), Long.parseLong(kept.group(2))));
        }
        throw new IOException(file + " can't be read as what a healer writes there. Delete it, and set the bandwidth of"
                + " block moves with hdfs dfsadmin -setBalancerBandwidth.");
    }

    @Override
    public void save(RaisedBandwidth raised) throws IOException {
        file.write(
                "before " + raised.beforeBytesPerSecond() + "\nraised " + raised.bytesPerSecond() + "\n" + newerLines);
    }

    @Override
    public void forgetRaised() throws IOException {
        newerLines = "";
        file.delete();
    }
}
