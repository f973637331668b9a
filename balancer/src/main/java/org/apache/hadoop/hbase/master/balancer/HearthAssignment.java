// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.balancer.hbase.CanaryTable;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.placement.CanaryPlacement;
import io.hearth.balancer.placement.CanaryPlacement.CanaryRegion;
import io.hearth.balancer.placement.FailedOpens;
import io.hearth.balancer.placement.FailedOpens.FailedOpen;
import io.hearth.balancer.placement.Placement;
import io.hearth.balancer.placement.PlacementView;
import io.hearth.balancer.placement.RecentPlacements;
import io.hearth.balancer.placement.RegionPlacer;
import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints;
import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints.LoadCap;
import io.hearth.balancer.placement.RegionPlacer.UnassignedRegion;
import io.hearth.balancer.share.ServerQuantiles;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.NullMarked;

/**
 * The three assignment calls of a load balancer, answered by {@link RegionPlacer} where enough is known and by the stock
 * balancer otherwise: region by region, so that one that is in doubt does not cost the others their place. Canary regions go to a server
 * that has none ({@link CanaryPlacement}).
 *
 * <p>Stock decides for: everything while Hearth only advises or is off; system tables; tables with region replicas, which its own rule keeps apart by the assignments of this
 * moment; regions of which neither heat nor bytes are known (a table that was just created); regions that keep their host (a
 * reopen, a restart, daughters of a split); everything while there are fewer than two servers, the master is among them, the
 * view is too old, or most of the servers are new to it.
 *
 * <p>Callable from any thread: it reads what is published, takes no lock of the balancer, asks nobody outside this JVM and
 * throws nothing of its own. Two calls at once do not see one another's regions, no more than with the stock balancer.
 */
@NullMarked
final class HearthAssignment {

    private final Cluster cluster;
    private final AtomicReference<Optional<PlacementView>> published = new AtomicReference<>(Optional.empty());
    private final RecentPlacements recent = new RecentPlacements();
    private final FailedOpens failedOpens = new FailedOpens();
    private volatile Set<ServerId> excludedLogged = Set.of();
    private volatile Set<ServerId> suspects = Set.of();
    private volatile Optional<Settings> settings = Optional.empty();

    /** What a placement needs to know of the cluster; every method answers at once from memory. */
    interface Cluster {

        long nowMs();

        /** Where the region's bytes are as far as that is cached. */
        LocalBytes localBytes(RegionInfo region);

        /** Whether the table's regions have replicas; a failure counts as doubt. */
        boolean hasReplicas(TableName table) throws Exception;

        /** Whether this server is the master, which carries no regions of users. */
        boolean isMaster(ServerName server);

        /** The number of the region's last opening anywhere; below 0 where nobody knows. */
        default long openSeqNum(RegionInfo region) {
            return -1;
        }

        /** Whether the region is open somewhere now; false where nobody knows. */
        default boolean isOpen(RegionInfo region) {
            return false;
        }

        /** Whether this is the canary table. */
        default boolean isCanary(TableName table) {
            return false;
        }

        /** Where the regions of this table are, or are opened; one without a server is missing. */
        default Map<RegionInfo, ServerName> serverByRegion(TableName table) {
            return Map.of();
        }

        /** This server is given nothing from now on, for this reason, the end of a sentence. */
        default void excluded(ServerId server, String why) {}

        /** These regions land by our word. */
        void placed(Placement placement);

        void failed(Throwable failure);
    }

    /** The stock answer to the same question about fewer regions. */
    interface StockAssignment<R> {

        Map<ServerName, List<RegionInfo>> assign(R regions, List<ServerName> servers) throws HBaseIOException;
    }

    /** The stock answer for one region. */
    interface StockRandomAssignment {

        ServerName assign(RegionInfo region, List<ServerName> servers) throws HBaseIOException;
    }

    private record Settings(boolean isOn, long viewMaxAgeMs, PlacementConstraints rules) {}

    HearthAssignment(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Takes new settings; before the first ones stock decides everything.
     *
     * @param hearthActs whether Hearth places regions at all; where it only advises, or is off, stock decides everything
     */
    void configure(BalancerConfig config, boolean hearthActs, double regionCountSlop) {
        settings = Optional.of(new Settings(
                hearthActs && config.placement().enabled(),
                config.placement().viewMaxAgeMs(),
                rules(config, regionCountSlop)));
    }

    private static PlacementConstraints rules(BalancerConfig config, double regionCountSlop) {
        Map<LoadDimension, LoadCap> caps = new EnumMap<>(LoadDimension.class);
        GoalConfig goals = config.goals();
        double maxLoadRatio = config.placement().maxLoadRatio();
        for (LoadDimension dimension : LoadDimension.values()) {
            GoalConfig.Goal goal = goals.of(dimension);
            if (goal.isWeighed()) {
                double cap = dimension.isCounter() ? maxLoadRatio : Math.max(maxLoadRatio, goal.trigger());
                caps.put(dimension, new LoadCap(cap, goal.minMean()));
            }
        }
        return new PlacementConstraints(
                caps, regionCountSlop, config.placement().maxBurstFactor());
    }

    /** Takes how far apart two readings of a server's report are from now on, in milliseconds. */
    void readEvery(long ms) {
        recent.readEvery(ms);
    }

    /** Takes the servers that are suspect or flap: what lands there suffers. They count for as long as the view does. */
    void suspected(Set<ServerId> servers) {
        suspects = Set.copyOf(servers);
    }

    /**
     * Takes what a look at the cluster brings, and says how local and how loaded servers are by it. One caller at a time: HBase holds the
     * balancer's lock.
     */
    ServerQuantiles publish(ReportBatch batch, RegionLoads loads, ToDoubleFunction<ServerId> capacity) {
        PlacementView view = PlacementView.of(lastPublished(), batch, loads, capacity, cluster.nowMs());
        published.set(Optional.of(view));
        recent.settle(view);
        failedOpens.settle(view);
        return view.quantiles();
    }

    /** Mirrors {@code LoadBalancer.roundRobinAssignment}. */
    Map<ServerName, List<RegionInfo>> roundRobinAssignment(
            List<RegionInfo> regions, List<ServerName> servers, StockAssignment<List<RegionInfo>> stock)
            throws HBaseIOException {
        asked(regions, servers);
        Map<RegionInfo, ServerName> ours = place(regions, servers);
        List<RegionInfo> left =
                regions.stream().filter(region -> !ours.containsKey(region)).toList();
        Map<Set<ServerId>, List<RegionInfo>> together = toldApart(left, servers);
        if (together.isEmpty()) {
            return merged(ours, stock.assign(ours.isEmpty() ? regions : new ArrayList<>(left), open(left, servers)));
        }
        Map<ServerName, List<RegionInfo>> byStock = new TreeMap<>();
        for (Map.Entry<Set<ServerId>, List<RegionInfo>> group : together.entrySet()) {
            List<ServerName> among = without(group.getKey(), open(group.getValue(), servers));
            stock.assign(group.getValue(), among)
                    .forEach((server, given) -> byStock.computeIfAbsent(server, first -> new ArrayList<>())
                            .addAll(given));
        }
        return merged(ours, byStock);
    }

    /** Mirrors {@code LoadBalancer.retainAssignment}: what can stay stays, by stock's own rule. */
    Map<ServerName, List<RegionInfo>> retainAssignment(
            Map<RegionInfo, ServerName> regions,
            List<ServerName> servers,
            StockAssignment<Map<RegionInfo, ServerName>> stock)
            throws HBaseIOException {
        Map<RegionInfo, ServerName> ours = place(withoutHost(regions, servers), servers);
        if (ours.isEmpty()) {
            return merged(ours, retained(regions, servers, stock));
        }
        Map<RegionInfo, ServerName> left = new HashMap<>(regions);
        left.keySet().removeAll(ours.keySet());
        return merged(ours, retained(left, servers, stock));
    }

    /** What has lost its host goes by lot, but not to where nothing is given; what has not may stay even there. */
    private Map<ServerName, List<RegionInfo>> retained(
            Map<RegionInfo, ServerName> regions,
            List<ServerName> servers,
            StockAssignment<Map<RegionInfo, ServerName>> stock)
            throws HBaseIOException {
        Set<RegionInfo> withoutHost = withoutHost(regions, servers);
        List<ServerName> open = open(withoutHost, servers);
        if (withoutHost.isEmpty() || open == servers) {
            return stock.assign(regions, servers);
        }
        Map<RegionInfo, ServerName> keep = new HashMap<>(regions);
        keep.keySet().removeAll(withoutHost);
        Map<RegionInfo, ServerName> byLot = new HashMap<>(regions);
        byLot.keySet().retainAll(withoutHost);
        Map<ServerName, List<RegionInfo>> all = new TreeMap<>(stock.assign(byLot, open));
        if (!keep.isEmpty()) {
            stock.assign(keep, servers)
                    .forEach((server, given) -> all.merge(server, given, (one, other) -> {
                        List<RegionInfo> both = new ArrayList<>(one);
                        both.addAll(other);
                        return both;
                    }));
        }
        return all;
    }

    /** Mirrors {@code LoadBalancer.randomAssignment}: where a region lands that is moved without a destination. */
    ServerName randomAssignment(RegionInfo region, List<ServerName> servers, StockRandomAssignment stock)
            throws HBaseIOException {
        asked(List.of(region), servers);
        ServerName ours = place(List.of(region), servers).get(region);
        ServerName chosen =
                stock.assign(region, ours == null ? openTo(region, servers) : Collections.singletonList(ours));
        remember(region, chosen);
        return chosen;
    }

    /** Those of these servers that are given no regions now since others did not open there, each with the reason. */
    SortedMap<ServerId, String> excludedServers(Set<ServerId> servers) {
        return failedOpens.excluded(servers, cluster.nowMs());
    }

    /** What did not open where it was sent since the last call, oldest first: who assigns regions waits for nobody who wants to know. */
    List<FailedOpen> takeFailedOpens() {
        return failedOpens.takeFailures();
    }

    private Optional<PlacementView> lastPublished() {
        return Objects.requireNonNull(published.get());
    }

    /** HBase asks again about a region that did not open where it was sent. */
    private void asked(List<RegionInfo> regions, List<ServerName> servers) {
        try {
            Optional<PlacementView> view = lastPublished();
            if (view.isEmpty() || servers == null) {
                return;
            }
            Set<ServerId> ids = ids(servers);
            long nowMs = cluster.nowMs();
            for (RegionInfo region : regions) {
                if (!isFollowed(region)) {
                    continue;
                }
                if (cluster.isOpen(region)) {
                    failedOpens.opened(HBaseNames.region(region));
                } else {
                    failedOpens.asked(HBaseNames.region(region), cluster.openSeqNum(region), view.get(), ids, nowMs);
                }
            }
            if (!isOn()) {
                return;
            }
            logExcluded(ids, view.get());
        } catch (Throwable failure) {
            cluster.failed(failure);
        }
    }

    private static Set<ServerId> ids(List<ServerName> servers) {
        return servers.stream().map(HBaseNames::server).collect(Collectors.toSet());
    }

    /** HBase asks for one group of servers at a time. */
    private void logExcluded(Set<ServerId> servers, PlacementView view) {
        SortedMap<ServerId, String> excluded = excludedServers(servers);
        Set<ServerId> logged = new HashSet<>(excludedLogged);
        logged.removeIf(server -> !view.knows(server) || servers.contains(server) && !excluded.containsKey(server));
        excluded.forEach((server, why) -> {
            if (logged.add(server)) {
                cluster.excluded(server, why);
            }
        });
        excludedLogged = Set.copyOf(logged);
    }

    private boolean isOn() {
        return settings.filter(Settings::isOn).isPresent();
    }

    /** Whether its openings are counted by HBase, and where it goes is a balancer's to say. */
    private static boolean isFollowed(RegionInfo region) {
        return region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
                && !HBaseNames.table(region.getTable()).isSystemTable();
    }

    /** The servers that stock chooses from: without those that are closed, but for system tables and where none would be left. */
    private List<ServerName> open(Collection<RegionInfo> regions, List<ServerName> servers) {
        try {
            if (servers == null) {
                return servers;
            }
            Set<ServerId> excluded = excludedFrom(servers);
            boolean isForUsers = regions.stream()
                    .noneMatch(region -> HBaseNames.table(region.getTable()).isSystemTable());
            if (excluded.isEmpty() || !isForUsers || !isOn()) {
                return servers;
            }
            List<ServerName> open = servers.stream()
                    .filter(server -> !excluded.contains(HBaseNames.server(server)))
                    .collect(Collectors.toCollection(ArrayList::new));
            return open.isEmpty() ? servers : open;
        } catch (Throwable failure) {
            cluster.failed(failure);
            return servers;
        }
    }

    /** Those on which regions did not open, and those that are suspect; of the latter none where so many are that it can't be theirs. */
    private Set<ServerId> excludedFrom(List<ServerName> servers) {
        Set<ServerId> none = new HashSet<>(excludedServers(ids(servers)).keySet());
        Set<ServerId> suspect = suspects;
        long among = servers.stream()
                .filter(server -> suspect.contains(HBaseNames.server(server)))
                .count();
        if (among > 0
                && among < servers.size()
                && !ExcludedServers.isCommon(among, servers.size())
                && settings.filter(now -> lastPublished()
                                .filter(view -> isWithin(cluster.nowMs() - view.takenMs(), now.viewMaxAgeMs()))
                                .isPresent())
                        .isPresent()) {
            none.addAll(suspect);
        }
        return none;
    }

    /** The regions of which stock would choose the server by lot: none of the servers is on the host that they had. */
    private static Set<RegionInfo> withoutHost(Map<RegionInfo, ServerName> regions, List<ServerName> servers) {
        if (servers == null) {
            return Set.of();
        }
        Set<String> hosts = new HashSet<>();
        servers.forEach(server -> hosts.add(server.getHostnameLowerCase()));
        return regions.entrySet().stream()
                .filter(entry -> entry.getValue() == null
                        || !hosts.contains(entry.getValue().getHostnameLowerCase()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Where these regions land by our word; without those about which there is doubt. */
    private Map<RegionInfo, ServerName> place(Collection<RegionInfo> regions, List<ServerName> servers) {
        try {
            Map<RegionInfo, ServerName> placed = new HashMap<>(placeCanaries(regions, servers));
            List<RegionInfo> others = regions.stream()
                    .filter(region -> !placed.containsKey(region))
                    .toList();
            Optional<PlacementView> view = usableView(servers);
            if (view.isPresent() && !others.isEmpty()) {
                placed.putAll(place(others, servers, view.get()));
            }
            return placed;
        } catch (Throwable failure) {
            cluster.failed(failure);
            return Map.of();
        }
    }

    /** What a canary region needs is a server that has none; nothing of what is known of loads matters, nor whether a server is suspect. */
    private Map<RegionInfo, ServerName> placeCanaries(Collection<RegionInfo> regions, List<ServerName> servers) {
        if (servers == null || servers.size() < 2 || !isOn() || servers.stream().anyMatch(cluster::isMaster)) {
            return Map.of();
        }
        List<RegionInfo> lost = regions.stream()
                .filter(region -> cluster.isCanary(region.getTable()))
                .toList();
        Map<ServerId, ServerName> open = new TreeMap<>();
        servers.forEach(server -> open.put(HBaseNames.server(server), server));
        open.keySet().removeAll(excludedServers(ids(servers)).keySet());
        if (lost.isEmpty() || open.isEmpty()) {
            return Map.of();
        }
        Map<CanaryRegion, ServerId> serverByRegion = new HashMap<>();
        cluster.serverByRegion(lost.get(0).getTable())
                .forEach((region, server) -> serverByRegion.put(CanaryTable.region(region), HBaseNames.server(server)));
        Map<RegionInfo, ServerName> placed = new HashMap<>();
        byServersToAvoid(lost, HBaseNames::region).forEach((avoided, together) -> {
            Set<ServerId> among = new TreeSet<>(open.keySet());
            among.removeAll(avoided);
            Map<CanaryRegion, RegionInfo> regionByCanary = new HashMap<>();
            together.forEach(region -> regionByCanary.put(CanaryTable.region(region), region));
            CanaryPlacement.place(regionByCanary.keySet(), serverByRegion, among.isEmpty() ? open.keySet() : among)
                    .forEach((canary, server) -> {
                        serverByRegion.put(canary, server);
                        placed.put(Objects.requireNonNull(regionByCanary.get(canary)), open.get(server));
                    });
        });
        return placed;
    }

    private Optional<PlacementView> usableView(List<ServerName> servers) {
        Optional<Settings> now = settings.filter(Settings::isOn);
        if (now.isEmpty()
                || servers == null
                || servers.size() < 2
                || servers.stream().anyMatch(cluster::isMaster)) {
            return Optional.empty();
        }
        long maxAgeMs = now.get().viewMaxAgeMs();
        return lastPublished()
                .filter(view -> isWithin(cluster.nowMs() - view.takenMs(), maxAgeMs))
                .filter(view -> knowsMostOf(servers, view));
    }

    /** A view from after now, by a clock that was set back, is as good as expired: the next reports bring another. */
    private static boolean isWithin(long ageMs, long maxAgeMs) {
        return ageMs >= 0 && ageMs <= maxAgeMs;
    }

    private static boolean knowsMostOf(List<ServerName> servers, PlacementView view) {
        long known = servers.stream()
                .filter(server -> view.knows(HBaseNames.server(server)))
                .count();
        return 2 * known >= servers.size();
    }

    private Map<RegionInfo, ServerName> place(
            Collection<RegionInfo> regions, List<ServerName> servers, PlacementView view) throws Exception {
        Map<EncodedRegionName, RegionInfo> regionById = new HashMap<>();
        List<UnassignedRegion> unassigned = new ArrayList<>();
        Map<TableName, Boolean> isOursByTable = new HashMap<>();
        for (RegionInfo region : regions) {
            if (isOurs(region, isOursByTable)) {
                unassigned(region, view).ifPresent(unassigned::add);
                regionById.put(HBaseNames.region(region), region);
            }
        }
        if (unassigned.isEmpty()) {
            return Map.of();
        }
        Map<ServerId, ServerName> serverById = new TreeMap<>();
        servers.forEach(server -> serverById.put(HBaseNames.server(server), server));
        serverById.keySet().removeAll(excludedFrom(servers));
        if (serverById.isEmpty()) {
            return Map.of();
        }
        Set<EncodedRegionName> ids = new HashSet<>();
        regions.forEach(region -> ids.add(HBaseNames.region(region)));
        Map<RegionInfo, ServerName> placed = new HashMap<>();
        long nowMs = cluster.nowMs();
        unassigned.removeIf(region -> failedOpens.isPlacedByStock(region.region(), nowMs));
        byServersToAvoid(unassigned, UnassignedRegion::region).forEach((avoided, together) -> {
            Set<ServerId> among = new TreeSet<>(serverById.keySet());
            among.removeAll(avoided);
            if (!among.isEmpty()) {
                Placement placement = RegionPlacer.place(
                        view.headrooms(among, recent.serverByRegion(), ids),
                        together,
                        settings.orElseThrow().rules());
                placement
                        .regions()
                        .forEach(
                                region -> placed.put(regionById.get(region.region()), serverById.get(region.server())));
                cluster.placed(placement);
            }
        });
        return placed;
    }

    /** The regions that may go to the same servers, by those on which they failed. */
    private <R> Map<Set<ServerId>, List<R>> byServersToAvoid(
            Collection<R> regions, Function<R, EncodedRegionName> name) {
        long nowMs = cluster.nowMs();
        Map<Set<ServerId>, List<R>> together = new HashMap<>();
        regions.forEach(region -> together.computeIfAbsent(
                        serversToAvoid(name.apply(region), nowMs), first -> new ArrayList<>())
                .add(region));
        return together;
    }

    /** None where Hearth's word is not law, or the region failed so often that it may be the region. */
    private Set<ServerId> serversToAvoid(EncodedRegionName region, long nowMs) {
        return settings.filter(Settings::isOn).isEmpty() || failedOpens.isPlacedByStock(region, nowMs)
                ? Set.of()
                : failedOpens.failedOn(region, nowMs);
    }

    /** The regions that stock places, by the servers that they avoid; empty where they avoid none. */
    private Map<Set<ServerId>, List<RegionInfo>> toldApart(List<RegionInfo> regions, List<ServerName> servers) {
        try {
            Map<Set<ServerId>, List<RegionInfo>> together =
                    usableView(servers).isEmpty() ? Map.of() : byServersToAvoid(regions, HBaseNames::region);
            return together.keySet().stream().allMatch(Set::isEmpty) ? Map.of() : together;
        } catch (Throwable failure) {
            cluster.failed(failure);
            return Map.of();
        }
    }

    private List<ServerName> openTo(RegionInfo region, List<ServerName> servers) {
        Set<ServerId> avoided = toldApart(List.of(region), servers).keySet().stream()
                .findFirst()
                .orElse(Set.of());
        return without(avoided, open(List.of(region), servers));
    }

    /** The servers but for these, while there are any. */
    private static List<ServerName> without(Set<ServerId> avoided, List<ServerName> servers) {
        if (avoided.isEmpty() || servers == null) {
            return servers;
        }
        List<ServerName> others = servers.stream()
                .filter(server -> !avoided.contains(HBaseNames.server(server)))
                .collect(Collectors.toCollection(ArrayList::new));
        return others.isEmpty() ? servers : others;
    }

    private boolean isOurs(RegionInfo region, Map<TableName, Boolean> isOursByTable) throws Exception {
        TableName table = region.getTable();
        Boolean isOurs = isOursByTable.get(table);
        if (isOurs == null) {
            isOurs = !HBaseNames.table(table).isSystemTable() && !cluster.hasReplicas(table);
            isOursByTable.put(table, isOurs);
        }
        return isOurs && region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID;
    }

    /** Empty where neither the heat nor any byte of the region is known. */
    private Optional<UnassignedRegion> unassigned(RegionInfo region, PlacementView view) {
        Optional<LoadVector> load = view.load(HBaseNames.region(region));
        LocalBytes local = cluster.localBytes(region);
        return load.isEmpty() && local.totalBytes().orElse(0) == 0
                ? Optional.empty()
                : Optional.of(new UnassignedRegion(HBaseNames.region(region), load.orElse(view.meanLoad()), local));
    }

    private Map<ServerName, List<RegionInfo>> merged(
            Map<RegionInfo, ServerName> ours, Map<ServerName, List<RegionInfo>> stock) {
        Map<ServerName, List<RegionInfo>> all = new TreeMap<>();
        stock.forEach((server, regions) -> all.put(server, new ArrayList<>(regions)));
        ours.forEach((region, server) ->
                all.computeIfAbsent(server, newServer -> new ArrayList<>()).add(region));
        all.forEach((server, regions) -> regions.forEach(region -> remember(region, server)));
        return all;
    }

    private void remember(RegionInfo region, ServerName server) {
        try {
            if (server != null) {
                if (isFollowed(region)) {
                    failedOpens.sent(
                            HBaseNames.region(region),
                            HBaseNames.server(server),
                            cluster.openSeqNum(region),
                            cluster.nowMs());
                }
                // Where stock places nobody asks for it, and nobody settles it.
                lastPublished()
                        .filter(view -> isOn())
                        .ifPresent(view -> recent.given(
                                HBaseNames.region(region), HBaseNames.server(server), view, cluster.nowMs()));
            }
        } catch (Throwable failure) {
            cluster.failed(failure);
        }
    }
}
