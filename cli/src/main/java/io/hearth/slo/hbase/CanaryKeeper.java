// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.slo.canary.CanaryKeyRange;
import io.hearth.slo.canary.CanaryPlanner;
import io.hearth.slo.canary.CanaryPlanner.CanaryRegion;
import io.hearth.slo.canary.CanaryPlanner.Step;
import io.hearth.slo.canary.MoveRefusals;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Sees to it that each RegionServer has a canary region: makes the table, splits a region where there are too few, and moves one where no
 * balancer of Hearth's is in the master to do so. Of several daemons the one that holds the {@link CanaryLease} does that. Servers that
 * are decommissioned need none; a server of another group of servers takes none, and is left alone for a while. Used by one thread.
 */
final class CanaryKeeper {

    private static final long SPLIT_SECONDS = 60;

    /** Longer than from one step to the next. */
    private static final long LEASE_MS = 60_000;

    private final Connection connection;
    private final TableName name;
    private final String holder;
    private final MoveRefusals refusals = new MoveRefusals();
    private int serversWithout;

    /** @param holder who this is, among all daemons */
    CanaryKeeper(Connection connection, TableName name, String holder) {
        this.connection = connection;
        this.name = name;
        this.holder = holder;
    }

    /** How many servers that may have a canary region had none when last seen. */
    int serversWithout() {
        return serversWithout;
    }

    /**
     * Makes the next step.
     *
     * @return whether there may be another
     */
    boolean step() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            Set<String> servers = servers(admin);
            CanaryTable.ensure(admin, name, Math.max(1, servers.size()));
            Map<String, HRegionLocation> regions = regions();
            Set<String> without = new HashSet<>(servers);
            regions.values().forEach(location -> without.remove(String.valueOf(location.getServerName())));
            serversWithout = without.size();
            if (isInTransition(admin)) {
                return true;
            }
            refusals.retain(without);
            if (without.isEmpty() || !holdsLease()) {
                return false;
            }
            Optional<Step> step = next(admin, regions, servers);
            if (step.isPresent()) {
                make(step.get(), admin, regions);
            }
            return step.isPresent();
        }
    }

    private static Set<String> servers(Admin admin) throws IOException {
        Set<String> servers = new HashSet<>();
        admin.getRegionServers().forEach(server -> servers.add(server.toString()));
        admin.listDecommissionedRegionServers().forEach(server -> servers.remove(server.toString()));
        return servers;
    }

    /** Whether a region is on its way: where {@code hbase:meta} has it is not where it will be. */
    private boolean isInTransition(Admin admin) throws IOException {
        return admin
                .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.REGIONS_IN_TRANSITION))
                .getRegionStatesInTransition()
                .stream()
                .anyMatch(state -> state.getRegion().getTable().equals(name));
    }

    private Map<String, HRegionLocation> regions() throws IOException {
        Map<String, HRegionLocation> regions = new HashMap<>();
        try (RegionLocator locator = connection.getRegionLocator(name)) {
            for (HRegionLocation location : locator.getAllRegionLocations()) {
                if (location != null && location.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
                    regions.put(location.getRegion().getEncodedName(), location);
                }
            }
        }
        return regions;
    }

    private boolean holdsLease() throws IOException {
        try (Table table = connection.getTable(name)) {
            return CanaryLease.acquire(table, holder, LEASE_MS);
        }
    }

    private Optional<Step> next(Admin admin, Map<String, HRegionLocation> locations, Set<String> servers)
            throws IOException {
        List<CanaryRegion> regions = new ArrayList<>();
        locations.forEach((encodedName, location) -> regions.add(new CanaryRegion(
                encodedName,
                CanaryKeyRange.of(
                        Bytes.toString(location.getRegion().getStartKey()),
                        Bytes.toString(location.getRegion().getEndKey())),
                Optional.ofNullable(location.getServerName()).map(ServerName::toString))));
        Optional<Step> step = CanaryPlanner.next(regions, servers, refusals.refusing(System.nanoTime()), true);
        return step.isPresent() && step.get() instanceof Step.Move && isPlacedByMaster(admin) ? Optional.empty() : step;
    }

    /** Whether the master's balancer is Hearth's, in whatever mode: where it only advises, nobody moves regions. */
    private static boolean isPlacedByMaster(Admin admin) throws IOException {
        Optional<ApiResponse> status = HearthAdminClient.ask(admin, AdminCall.GET_STATUS, "{}");
        if (status.isEmpty()) {
            return false;
        }
        return status.get().status() != ApiResponse.OK
                || JsonParser.parseString(status.get().body())
                        .getAsJsonObject()
                        .getAsJsonObject("overview")
                        .getAsJsonObject("balancer")
                        .get("installed")
                        .getAsBoolean();
    }

    private void make(Step step, Admin admin, Map<String, HRegionLocation> regions) throws IOException {
        if (step instanceof Step.Move move) {
            move(move, admin);
        } else if (step instanceof Step.Split split) {
            HRegionLocation parent = Objects.requireNonNull(regions.get(split.region()));
            await(admin.splitRegionAsync(parent.getRegion().getRegionName(), Bytes.toBytes(split.key())));
        }
    }

    /** The master answers when the region is open again, and does not say that it has put it elsewhere than it was told. */
    private void move(Step.Move move, Admin admin) throws IOException {
        boolean isTaken = false;
        try {
            admin.move(Bytes.toBytes(move.region()), ServerName.valueOf(move.server()));
            HRegionLocation location = regions().get(move.region());
            isTaken = location != null && move.server().equals(String.valueOf(location.getServerName()));
        } finally {
            if (!isTaken) {
                refusals.refused(move.server(), System.nanoTime());
            }
        }
    }

    private static void await(Future<Void> split) throws IOException {
        try {
            split.get(SPLIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException failed) {
            throw new IOException("a canary region can't be split: " + failed.getCause(), failed);
        } catch (TimeoutException late) {
            throw new IOException("the split of a canary region has not ended within " + SPLIT_SECONDS + " s", late);
        }
    }
}
