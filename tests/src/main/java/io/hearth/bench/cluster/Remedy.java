package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.procs.LiveSettings;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a variant has to bring data home, asked for when regions are in place: major compactions, Hearth's healing, or nothing. Hearth heals
 * by itself; here it rests until it is asked, so that nobody takes what moving regions costs for what healing costs.
 */
final class Remedy {

    private static final String SWITCH = "hearth.heal.enabled";

    /** With what a cluster is started. */
    static final Map<String, String> AT_REST = Map.of(SWITCH, "false");

    private final Variant variant;
    private final Admin admin;
    private final LiveSettings settings;

    Remedy(Variant variant, Site site) throws IOException {
        this.variant = variant;
        this.admin = site.admin();
        this.settings = new LiveSettings(site.cluster().conf(), admin);
    }

    /** Whether there is one. */
    boolean isAny() {
        return variant != Variant.NOTHING;
    }

    /** Begins; returns when it has been asked for, by {@link System#nanoTime}. */
    long begin(LocalityCensus moved) throws IOException {
        long nanos = System.nanoTime();
        switch (variant) {
            case NOTHING -> {}
            case COMPACTION -> compact(moved);
            case HEARTH -> settings.set(Map.of(SWITCH, "true"));
        }
        return nanos;
    }

    private void compact(LocalityCensus moved) throws IOException {
        for (var region : moved.regions()) {
            if (region.nonLocalBytes() > 0) {
                admin.majorCompactRegion(Bytes.toBytes(region.region()));
            }
        }
    }

    /** Rests again. */
    void end() throws IOException {
        if (variant == Variant.HEARTH) {
            settings.set(AT_REST);
        }
    }
}
