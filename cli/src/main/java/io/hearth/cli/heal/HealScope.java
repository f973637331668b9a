// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Which regions are to be healed: those of a table, one region, those on a server, or all. What is set must all hold.
 * Immutable.
 *
 * @param region the encoded name, or the whole name
 * @param server a host, or {@code host,port} or {@code host,port,startcode}
 */
public record HealScope(Optional<TableName> table, Optional<String> region, Optional<String> server) {

    /** Every region. */
    public static final HealScope ALL = new HealScope(Optional.empty(), Optional.empty(), Optional.empty());

    public boolean includes(RegionLocation location) {
        return table.map(location.region().getTable()::equals).orElse(true)
                && region.map(name -> isCalled(location.region(), name)).orElse(true)
                && server.map(name -> isOn(location, name)).orElse(true);
    }

    private static boolean isCalled(RegionInfo region, String name) {
        return region.getEncodedName().equals(name)
                || region.getRegionNameAsString().equals(name);
    }

    private static boolean isOn(RegionLocation location, String name) {
        return location.openOn()
                .filter(server -> server.getHostname().equals(name)
                        || server.getServerName().equals(name)
                        || server.getServerName().startsWith(name + ","))
                .isPresent();
    }

    /** As a person would say it: {@code table t on host1}. */
    @Override
    public String toString() {
        if (equals(ALL)) {
            return "the cluster";
        }
        String what = region.map("region "::concat)
                .or(() -> table.map(name -> "table " + name))
                .orElse("the regions");
        return what + server.map(" on "::concat).orElse("");
    }
}
