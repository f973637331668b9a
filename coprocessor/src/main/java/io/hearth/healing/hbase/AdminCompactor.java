package io.hearth.healing.hbase;

import io.hearth.healing.execute.Compactor;
import io.hearth.healing.model.ServedRegion;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Asks RegionServers for major compactions, by the host's own connection. Thread-safe. */
final class AdminCompactor implements Compactor {

    private final HealingHost host;

    AdminCompactor(HealingHost host) {
        this.host = host;
    }

    @Override
    public Optional<String> compact(ServedRegion region, String family) {
        Optional<RegionInfo> known = host.regions().region(region.region().encodedName());
        if (known.isEmpty()) {
            return Optional.of("the region is gone");
        }
        try (Admin admin = host.connection().getAdmin()) {
            admin.majorCompactRegion(known.get().getRegionName(), Bytes.toBytes(family));
            return Optional.empty();
        } catch (IOException | RuntimeException failure) {
            return Optional.of(failure.toString().lines().findFirst().orElse(""));
        }
    }
}
