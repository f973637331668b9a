// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeSender.Answer;
import io.hearth.slo.probe.Prober;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.io.IOUtils;

/**
 * Has a prober ask a cluster's RegionServers and its registry, and keeps up with where the canary regions are: once a minute, and soon
 * after a request has not found its region, when a server may be without one as well. Without HBase it connects later; what was known before is asked on. Used by one thread, but
 * for {@link #serversWithoutCanary}.
 */
public final class HBaseWatch implements Closeable {

    /** The target of probes of the registry. */
    public static final String REGISTRY = "registry";

    private static final long WAIT_SECONDS = 30;
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long BETWEEN_STEPS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Configuration site;
    private final HealerUser user;
    private final List<TableName> tables;
    private final Duration limit;
    private final Prober prober;
    private final String holder;
    private Optional<Connected> connected = Optional.empty();
    private volatile int serversWithoutCanary;

    /**
     * A watch that has not connected.
     *
     * @param instance the name of this daemon
     * @param tables of which rows are read beside the canary table's; may be empty
     * @param limit of each request
     */
    public HBaseWatch(
            Configuration site,
            HealerUser user,
            String instance,
            List<TableName> tables,
            Duration limit,
            Prober prober) {
        this.site = site;
        this.user = user;
        this.tables = List.copyOf(tables);
        this.limit = limit;
        this.prober = prober;
        this.holder = instance + " " + UUID.randomUUID();
    }

    /** What there is once HBase was reached. */
    private static final class Connected {

        private final AsyncConnection probing;
        private final Connection admin;
        private final RegionServerProbes probes;
        private final CanaryKeeper keeper;
        private long lastStepNanos = System.nanoTime() - REFRESH_NANOS;
        private boolean isStepDueSoon;
        private long nextRefreshNanos = System.nanoTime();

        Connected(AsyncConnection probing, Connection admin, RegionServerProbes probes, CanaryKeeper keeper) {
            this.probing = probing;
            this.admin = admin;
            this.probes = probes;
            this.keeper = keeper;
        }
    }

    /** How many RegionServers are not probed, since they have no canary region. */
    public int serversWithoutCanary() {
        return serversWithoutCanary;
    }

    /**
     * Does what is to be done by now; to be called each second.
     *
     * @throws IOException if HBase can't be asked, or does not do what is asked; the next call tries again
     */
    public void turn() throws IOException {
        if (connected.isEmpty()) {
            connected = Optional.of(connect());
        }
        Connected now = connected.get();
        try {
            long pauseNanos = now.isStepDueSoon ? BETWEEN_STEPS_NANOS : REFRESH_NANOS;
            if (System.nanoTime() - now.lastStepNanos >= pauseNanos) {
                keepCanaries(now);
            }
        } finally {
            refresh(now);
        }
    }

    private void keepCanaries(Connected now) throws IOException {
        boolean isChanged = now.keeper.step();
        now.lastStepNanos = System.nanoTime();
        now.isStepDueSoon = isChanged;
        if (isChanged) {
            now.nextRefreshNanos = System.nanoTime();
        }
        serversWithoutCanary = now.keeper.serversWithout();
    }

    private void refresh(Connected now) throws IOException {
        boolean isOutdated = now.probes.isOutdated();
        if (isOutdated || System.nanoTime() - now.nextRefreshNanos >= 0) {
            now.isStepDueSoon |= isOutdated;
            await(now.probes.refresh());
            now.nextRefreshNanos = System.nanoTime() + REFRESH_NANOS;
            prober.serve(ProbeKind.GET, now.probes::get, now.probes.canaryServers());
            prober.serve(ProbeKind.PUT, now.probes::put, now.probes.canaryServers());
            prober.serve(ProbeKind.ROW_GET, now.probes::getRow, now.probes.tableServers());
        }
    }

    private Connected connect() throws IOException {
        CompletableFuture<AsyncConnection> connecting =
                ConnectionFactory.createAsyncConnection(forProbes(), User.create(user.ugi()));
        AsyncConnection probing = connected(connecting);
        try {
            Connection admin = ConnectionFactory.createConnection(forAdmin(), User.create(user.ugi()));
            prober.serve(ProbeKind.REGISTRY, registry -> askRegistry(probing), Set.of(REGISTRY));
            TableName canary = CanaryTable.name(site);
            return new Connected(
                    probing,
                    admin,
                    new RegionServerProbes(probing, canary, tables, limit),
                    new CanaryKeeper(admin, canary, holder));
        } catch (IOException | RuntimeException failure) {
            IOUtils.closeStream(probing);
            throw failure;
        }
    }

    /** Where {@code hbase:meta} is: the registry says it, be it ZooKeeper or the masters, and no cache does. */
    private static CompletableFuture<Answer> askRegistry(AsyncConnection connection) {
        return connection
                .getRegionLocator(TableName.META_TABLE_NAME)
                .getAllRegionLocations()
                .thenApply(locations -> locations.isEmpty() ? Answer.WRONG : Answer.RIGHT);
    }

    private Configuration forProbes() {
        Configuration conf = new Configuration(site);
        long ms = limit.toMillis() + 500;
        conf.setLong("hbase.client.meta.operation.timeout", ms);
        conf.setLong("hbase.client.meta.read.rpc.timeout", ms);
        conf.setLong("hbase.client.meta.scanner.timeout.period", ms);
        // A server that is back is asked at once.
        conf.setInt("hbase.ipc.client.failed.servers.expiry", 100);
        return conf;
    }

    private Configuration forAdmin() {
        Configuration conf = new Configuration(site);
        conf.setInt("hbase.client.retries.number", 3);
        conf.setLong("hbase.client.operation.timeout", TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
        conf.setLong("hbase.rpc.timeout", TimeUnit.SECONDS.toMillis(WAIT_SECONDS / 2));
        return conf;
    }

    /** The connection; one that comes too late is closed. */
    static AsyncConnection connected(CompletableFuture<AsyncConnection> connecting) throws IOException {
        try {
            return await(connecting);
        } catch (IOException failure) {
            var unused = connecting.thenAccept(IOUtils::closeStream);
            throw failure;
        }
    }

    static <T> T await(CompletableFuture<T> future) throws IOException {
        try {
            return future.get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException known ? known : new IOException(failed.getCause());
        } catch (TimeoutException late) {
            throw new IOException("no answer within " + WAIT_SECONDS + " s", late);
        }
    }

    @Override
    public void close() {
        connected.ifPresent(now -> IOUtils.cleanupWithLogger(null, now.admin, now.probing));
        connected = Optional.empty();
    }
}
