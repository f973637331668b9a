// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.config.SloSettings.CanaryMark;
import io.hearth.balancer.placement.CanaryPlacement.CanaryRegion;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Which table of a cluster is the canary table: the one that the site names, if its descriptor says so too. A descriptor that can't be read
 * says nothing. Thread-safe.
 */
public final class CanaryTable implements Predicate<TableName> {

    /** No table is. */
    public static final Predicate<TableName> NONE = table -> false;

    private final TableName name;
    private final DescriptorLookup descriptors;

    /** The tables' descriptors as the process knows them; it must not ask another one about a table that has regions. */
    @FunctionalInterface
    public interface DescriptorLookup {

        /** The descriptor of this table; empty if there is no such table. */
        Optional<TableDescriptor> descriptor(TableName table) throws IOException;
    }

    /** @param name as {@code hearth.slo.canary.table} has it */
    public CanaryTable(String name, DescriptorLookup descriptors) {
        this.name = TableName.valueOf(name);
        this.descriptors = descriptors;
    }

    public TableName name() {
        return name;
    }

    /** Whether this is the canary table; of a table of another name no descriptor is read. */
    @Override
    public boolean test(TableName table) {
        try {
            return table.equals(name)
                    && descriptors
                            .descriptor(table)
                            .filter(descriptor -> mark(descriptor).isCanary())
                            .isPresent();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** What this table's descriptor says of it. */
    public static CanaryMark mark(TableDescriptor descriptor) {
        return CanaryMark.read(HBaseNames.table(descriptor.getTableName()), TableWeightsReader.settings(descriptor));
    }

    /** A region of the table. */
    public static CanaryRegion region(RegionInfo region) {
        return new CanaryRegion(
                HBaseNames.region(region),
                HBaseNames.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(region)),
                region.getReplicaId());
    }
}
