package io.hearth.healer.hbase;

import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.RegionCompactor;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Asks RegionServers for major compactions, by the host's own connection. Thread-safe. */
final class AdminRegionCompactor implements RegionCompactor {

    private final HealerRuntime runtime;

    AdminRegionCompactor(HealerRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public Optional<String> compact(ServedRegion region, String family) {
        Optional<RegionInfo> known = runtime.regions().region(region.region().encodedName());
        if (known.isEmpty()) {
            return Optional.of("the region is gone");
        }
        try (Admin admin = runtime.connection().getAdmin()) {
            admin.majorCompactRegion(known.get().getRegionName(), Bytes.toBytes(family));
            return Optional.empty();
        } catch (IOException | RuntimeException failure) {
            return Optional.of(failure.toString().lines().findFirst().orElse(""));
        }
    }
}
