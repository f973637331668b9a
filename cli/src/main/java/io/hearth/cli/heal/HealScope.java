// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
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

    private static final int MOST_NAMED = 20;

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
        return location.openOn().filter(server -> isCalled(server, name)).isPresent();
    }

    /** Names of hosts are not case-sensitive. */
    private static boolean isCalled(ServerName server, String name) {
        String asAsked = name.toLowerCase(Locale.ROOT);
        String whole = server.getServerName().toLowerCase(Locale.ROOT);
        return server.getHostname().equalsIgnoreCase(name) || whole.equals(asAsked) || whole.startsWith(asAsked + ",");
    }

    /** That no server is called so, and which there are; empty where one is, or none was named. */
    public Optional<String> unknownServer(Collection<ServerName> live) {
        return server.filter(name -> live.stream().noneMatch(there -> isCalled(there, name)))
                .map(name -> "no RegionServer is called " + name + "; there are " + hosts(live));
    }

    private static String hosts(Collection<ServerName> live) {
        List<String> hosts =
                live.stream().map(ServerName::getHostname).distinct().sorted().toList();
        String some = hosts.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        int more = hosts.size() - MOST_NAMED;
        return more > 0 ? some + " and " + more + " more" : hosts.isEmpty() ? "none" : some;
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
