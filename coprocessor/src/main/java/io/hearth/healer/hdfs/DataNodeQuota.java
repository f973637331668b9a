// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.common.http.BoundedHttpClient;
import io.hearth.healer.hdfs.AskedAllowance.MovesQuestion;
import io.hearth.healer.hdfs.DataNodeProxy.Question;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.security.AccessControlException;

/**
 * Asks a DataNode for its {@code dfs.datanode.balance.max.concurrent.moves}: what its last reconfiguration has set, where healing's user
 * is told that, else what it was started with, by the page {@code /conf} of its web UI. Where the first question fails the second says
 * nothing, for a reconfiguration may have changed that. Web UIs that {@value #SILENT_IN_A_ROW} times in a row have not answered, as behind
 * a firewall, are left alone for ten minutes. Thread-safe.
 */
final class DataNodeQuota implements MovesQuestion {

    static final String KEY = DFSConfigKeys.DFS_DATANODE_BALANCE_MAX_NUM_CONCURRENT_MOVES_KEY;
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,5}");
    private static final Pattern PROPERTY = Pattern.compile(
            "\"key\"\\s*:\\s*\"" + Pattern.quote(KEY) + "\"\\s*,\\s*\"value\"\\s*:\\s*\"\\s*(" + NUMBER + ")\\s*\"");

    /** Of one property the page has some 150 bytes, and is there within some milliseconds. */
    private static final int MOST_BYTES = 1 << 16;

    static final int SILENT_IN_A_ROW = 8;
    private static final long LEFT_ALONE_MS = 600_000;

    private final Question<Optional<String>> reconfiguration;
    private final Configuration conf;
    private final boolean byHostname;
    private final Duration time;
    private final LongSupplier clockMs;
    private final AtomicInteger silent = new AtomicInteger();
    private volatile long leftAloneUntilMs = Long.MIN_VALUE;
    private volatile boolean isSuperuser = true;

    /**
     * @param reconfiguration asks what a DataNode's last reconfiguration has set {@link #KEY} to, which an HDFS superuser alone is told
     * @param time that a web UI has for its answer
     */
    DataNodeQuota(Question<Optional<String>> reconfiguration, Configuration conf, Duration time, LongSupplier clockMs) {
        this.reconfiguration = reconfiguration;
        this.conf = conf;
        this.byHostname = DataNodeProxy.byHostname(conf);
        this.time = time;
        this.clockMs = clockMs;
    }

    @Override
    public OptionalInt ask(DatanodeInfo node) {
        try {
            OptionalInt set = reconfigured(node);
            return set.isPresent() ? set : startedWith(node);
        } catch (IOException noAnswer) {
            return OptionalInt.empty();
        }
    }

    private OptionalInt reconfigured(DatanodeInfo node) throws IOException {
        if (!isSuperuser) {
            return OptionalInt.empty();
        }
        try {
            return reconfiguration.ask(node).map(DataNodeQuota::number).orElse(OptionalInt.empty());
        } catch (IOException failure) {
            if (!(NameNodeCalls.unwrapped(failure) instanceof AccessControlException)) {
                throw failure;
            }
            // A DataNode logs each refusal.
            isSuperuser = false;
            return OptionalInt.empty();
        }
    }

    private static OptionalInt number(String text) {
        return NUMBER.matcher(text).matches() ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }

    private OptionalInt startedWith(DatanodeInfo node) {
        if (clockMs.getAsLong() < leftAloneUntilMs) {
            return OptionalInt.empty();
        }
        try {
            HttpResponse<byte[]> answer = BoundedHttpClient.get(webUi(node) + "/conf?name=" + KEY, time, MOST_BYTES);
            silent.set(0);
            Matcher named = PROPERTY.matcher(new String(answer.body(), StandardCharsets.UTF_8));
            return named.find() ? number(named.group(1)) : OptionalInt.empty();
        } catch (IOException | TimeoutException | IllegalArgumentException noAnswer) {
            if (silent.incrementAndGet() >= SILENT_IN_A_ROW) {
                silent.set(0);
                leftAloneUntilMs = clockMs.getAsLong() + LEFT_ALONE_MS;
            }
            return OptionalInt.empty();
        }
    }

    private String webUi(DatanodeInfo node) {
        String host = byHostname ? node.getHostName() : node.getIpAddr();
        return DFSUtil.getHttpPolicy(conf) == HttpConfig.Policy.HTTPS_ONLY
                ? "https://" + host + ":" + node.getInfoSecurePort()
                : "http://" + host + ":" + node.getInfoPort();
    }
}
