package io.hearth.healing.hbase;

import io.hearth.healing.execute.Compactor;
import io.hearth.healing.model.ServedRegion;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.Bytes;

/** Asks RegionServers for major compactions, by the master's own connection. Thread-safe. */
final class MasterCompactor implements Compactor {

    private final MasterServices services;

    MasterCompactor(MasterServices services) {
        this.services = services;
    }

    @Override
    public Optional<String> compact(ServedRegion region, String family) {
        RegionState known = services.getAssignmentManager()
                .getRegionStates()
                .getRegionState(region.region().encodedName());
        if (known == null) {
            return Optional.of("the region is gone");
        }
        try (Admin admin = services.getConnection().getAdmin()) {
            admin.majorCompactRegion(known.getRegion().getRegionName(), Bytes.toBytes(family));
            return Optional.empty();
        } catch (IOException | RuntimeException failure) {
            return Optional.of(failure.toString().lines().findFirst().orElse(""));
        }
    }
}
