// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.chaos.HearthMetricsReader.WaitingBlocks;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How one variant of a benchmark restores locality: by major compactions, by Hearth's healing, or not. The healer is paused until
 * {@link #begin}, so that the cost of moving regions is not counted as the cost of healing.
 */
public final class HealStrategy {

    private final Variant variant;
    private final ClusterHandle handle;
    private final Admin admin;

    /** It rests from now on. */
    public HealStrategy(Variant variant, ClusterHandle handle) throws IOException {
        this.variant = variant;
        this.handle = handle;
        this.admin = handle.admin();
        end();
    }

    /** Whether there is one. */
    boolean isAny() {
        return variant != Variant.NOTHING;
    }

    /** How long healing what is remote now will take, by the dry run, in seconds; absent where there is none. */
    OptionalDouble estimate() throws IOException {
        return variant == Variant.HEARTH ? DryRun.seconds(handle.cluster()) : OptionalDouble.empty();
    }

    /** What waits to be moved; absent where nobody says. */
    Optional<WaitingBlocks> waiting() {
        return variant == Variant.HEARTH ? handle.observer().waiting() : Optional.empty();
    }

    /** Of so many rounds those that it needs: half where its latencies are held to no threshold. */
    int rounds(int all) {
        return variant == Variant.HEARTH ? all : Math.max(1, all / 2);
    }

    /** Begins; returns when it has been asked for, by {@link System#nanoTime}. */
    public long begin(LocalitySnapshot moved) throws IOException {
        long nanos = System.nanoTime();
        switch (variant) {
            case NOTHING -> {}
            case COMPACTION -> compact(moved);
            case HEARTH -> ask(AdminCall.RESUME_HEALING);
        }
        return nanos;
    }

    /** By what bin/hearth healer pause and resume ask, so that the master reads no configuration again while latencies count. */
    private void ask(AdminCall what) throws IOException {
        ApiResponse answer = HearthAdminClient.ask(admin, what, "{}")
                .orElseThrow(() -> new IOException("Hearth's endpoint is not in the master"));
        if (answer.status() != ApiResponse.OK) {
            throw new IOException(what + ": " + answer.body());
        }
    }

    private void compact(LocalitySnapshot moved) throws IOException {
        for (var region : moved.regions()) {
            if (region.nonLocalBytes() > 0) {
                admin.majorCompactRegion(Bytes.toBytes(region.region()));
            }
        }
    }

    /** Rests again. */
    public void end() throws IOException {
        if (variant == Variant.HEARTH) {
            ask(AdminCall.PAUSE_HEALING);
        }
    }
}
