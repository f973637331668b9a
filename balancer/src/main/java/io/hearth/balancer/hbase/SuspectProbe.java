// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.ServerRpcStats;
import io.hearth.common.http.BoundedHttpClient;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Asks suspect RegionServers how long calls wait there: one page {@code /jmx} each, at most once a minute, on one daemon
 * thread that ends when there is nobody to ask.
 *
 * <p>Nobody waits for it. An answer has {@value #LIMIT_BYTES} bytes and a few seconds in all, redirects are not followed, and it
 * authenticates nowhere; a server that does not answer like that has said nothing. HBase's call times are those since the
 * page was last read, so the first answer of a server only sets them back. Thread-safe.
 */
public final class SuspectProbe implements AutoCloseable {

    static final int LIMIT_BYTES = 1 << 20;

    /** An answer that takes longer is none; milliseconds. */
    public static final long LIMIT_MS = 5_000;

    /** So often one server is asked, in milliseconds. */
    static final long PERIOD_MS = 55_000;

    /** Call times of a longer stretch say too little of now; milliseconds. */
    private static final long LONGEST_STRETCH_MS = 300_000;

    /** More are not asked in one round: so many suspects are no sick servers but a sick HDFS. */
    private static final int MOST_WAITING = 32;

    private static final int IDLE_SECONDS = 10;
    private static final String BEAN = "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=IPC";

    private final BiConsumer<ServerId, ServerRpcStats> rpcStatsReceived;
    private final Consumer<Throwable> failed;
    private final long limitMs;
    private final Map<ServerId, Long> askedMs = new HashMap<>();
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            new ThreadFactoryBuilder()
                    .setDaemon(true)
                    .setNameFormat("hearth-suspects")
                    .build());

    /** A web UI to be asked: {@code http://host:port}. */
    public record WebUi(ServerId server, String address) {

        /** The one of this server. */
        public static WebUi of(ServerId server, String scheme, int port) {
            String host = server.host().contains(":") ? "[" + server.host() + "]" : server.host();
            return new WebUi(server, scheme + "://" + host + ":" + port);
        }
    }

    /**
     * @param rpcStatsReceived takes every answer, on the probe's thread
     * @param failed takes what went wrong here, and not on the side of who was asked; on the probe's thread
     * @param limitMs an answer that takes longer is none, in milliseconds
     */
    public SuspectProbe(
            BiConsumer<ServerId, ServerRpcStats> rpcStatsReceived, Consumer<Throwable> failed, long limitMs) {
        this.rpcStatsReceived = rpcStatsReceived;
        this.failed = failed;
        this.limitMs = limitMs;
        executor.allowCoreThreadTimeOut(true);
    }

    /** Sees to it that these are asked soon, those apart that were asked of late; returns at once. */
    public synchronized void ask(List<WebUi> suspects, long nowMs) {
        askedMs.keySet().retainAll(suspects.stream().map(WebUi::server).toList());
        for (WebUi suspect : suspects) {
            Long before = askedMs.get(suspect.server());
            if (before == null || Math.abs(nowMs - before) >= PERIOD_MS) {
                boolean isRecent = before != null && Math.abs(nowMs - before) <= LONGEST_STRETCH_MS;
                try {
                    executor.execute(() -> ask(suspect, isRecent));
                    askedMs.put(suspect.server(), nowMs);
                } catch (RejectedExecutionException fullOrClosed) {
                    return;
                }
            }
        }
    }

    private void ask(WebUi suspect, boolean isRecent) {
        try {
            rpcStats(suspect.address())
                    .filter(rpcStats -> isRecent)
                    .ifPresent(rpcStats -> rpcStatsReceived.accept(suspect.server(), rpcStats));
        } catch (Throwable failure) {
            failed.accept(failure);
        }
    }

    /** What the server at this address says of its calls; empty where it does not say. */
    Optional<ServerRpcStats> rpcStats(String address) {
        try {
            HttpResponse<byte[]> answer =
                    BoundedHttpClient.get(address + BEAN, Duration.ofMillis(limitMs), LIMIT_BYTES);
            return answer.statusCode() == BoundedHttpClient.OK
                    ? read(new String(answer.body(), StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IOException | TimeoutException | RuntimeException saysNothing) {
            return Optional.empty();
        }
    }

    private static Optional<ServerRpcStats> read(String page) {
        try {
            for (JsonElement bean :
                    JsonParser.parseString(page).getAsJsonObject().getAsJsonArray("beans")) {
                JsonObject ipc = bean.getAsJsonObject();
                if (ipc.has("numCallsInGeneralQueue") && ipc.has("TotalCallTime_mean")) {
                    return Optional.of(new ServerRpcStats(
                            ipc.get("numCallsInGeneralQueue").getAsLong(),
                            ipc.get("TotalCallTime_mean").getAsDouble()));
                }
            }
        } catch (JsonParseException | IllegalStateException | NullPointerException | NumberFormatException notThePage) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Ends the thread; what waits is not asked. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
