// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.probe.DataNodeObservations;
import io.hearth.slo.probe.DataNodeObservations.DataNodeObservation;
import io.hearth.slo.probe.ProbeKind;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Tells the HMaster's healer each 15 s what the probes of this daemon have seen of DataNodes, under a lease of a minute: if this process
 * dies, that is forgotten. Where the HMaster has no Hearth nothing comes of it. Used by one thread.
 */
public final class DataNodeReporter implements Closeable {

    private static final int LEASE_SECONDS = 60;
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** What was seen longer ago is not told. */
    private static final long MAX_AGO_MS = 300_000;

    private final MasterConnection master;
    private final String instance;
    private final DataNodeObservations observations;
    private final LongSupplier wallTimeMs;
    private boolean isLeased;
    private long nextNanos = System.nanoTime();

    /**
     * A reporter that has not connected.
     *
     * @param instance the name of this daemon; each is an observer of its own
     * @param wallTimeMs ms since 1970
     */
    public DataNodeReporter(
            Configuration site,
            HealerUser user,
            String instance,
            DataNodeObservations observations,
            LongSupplier wallTimeMs) {
        this.master = new MasterConnection(site, user);
        this.instance = instance;
        this.observations = observations;
        this.wallTimeMs = wallTimeMs;
    }

    /**
     * Does what is to be done by now; to be called each second.
     *
     * @throws IOException if the master can't be asked; what was to be told is given up then, as a minute later there is more
     */
    public void turn() throws IOException {
        if (System.nanoTime() - nextNanos < 0) {
            return;
        }
        nextNanos = System.nanoTime() + EVERY_NANOS;
        List<DataNodeObservation> seen = observations.take();
        isLeased |= !seen.isEmpty();
        if (isLeased) {
            report(LEASE_SECONDS, json(seen, wallTimeMs.getAsLong()));
        }
    }

    private void report(int leaseSeconds, JsonArray dataNodes) throws IOException {
        var unused = master.ask(admin -> HearthAdminClient.reportDataNodes(admin, instance, leaseSeconds, dataNodes));
    }

    /** What was seen after now was seen before the clock was set. */
    static JsonArray json(List<DataNodeObservation> seen, long nowMs) {
        JsonArray dataNodes = new JsonArray();
        for (DataNodeObservation observation : seen) {
            long agoMs = Math.max(0, nowMs - observation.atMs());
            if (agoMs <= MAX_AGO_MS) {
                JsonObject one = new JsonObject();
                one.addProperty("host", observation.host());
                one.addProperty("operation", observation.kind() == ProbeKind.HDFS_WRITE ? "write" : "read");
                one.addProperty("outcome", observation.condition().name());
                one.addProperty("agoMs", agoMs);
                dataNodes.add(one);
            }
        }
        return dataNodes;
    }

    /** Has what was told forgotten, if the master answers. */
    @Override
    public void close() {
        try {
            if (isLeased) {
                report(0, new JsonArray());
            }
        } catch (IOException over) {
            // The lease ends by itself.
        }
        master.close();
    }
}
