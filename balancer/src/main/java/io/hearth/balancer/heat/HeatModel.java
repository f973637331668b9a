// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.heat.SuspectServerDetector.RegionMeasurement;
import io.hearth.balancer.heat.SuspectServerDetector.ServerMeasurement;
import io.hearth.balancer.heat.ingest.PlausibilityCheck;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.balancer.heat.ingest.ReportDeduplicator;
import io.hearth.balancer.heat.ingest.ReportDeduplicator.ServerIncarnation;
import io.hearth.balancer.heat.ingest.ReportOrder;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The heat of every region, learnt from the servers' reports: read and write rates per second of report time, over the horizons of
 * {@link RateDecays} and between the last reports, and the last known sizes in bytes.
 *
 * <p>Heat belongs to the region and not to where it is served, so it outlives a move, and {@link SplitMergeInheritance hands it down} in
 * splits and merges. A region that nobody has reported for {@value #FORGET_AFTER_MS} ms is forgotten. Thread-safe: every
 * method holds this object's lock, for microseconds a region and without any call elsewhere.
 */
public final class HeatModel implements RegionHeats, RegionLoads {

    /** One for all regions: a plan's state keeps the heat of each. */
    private static final Unknown NEVER_REPORTED = new Unknown(Reason.NEVER_REPORTED);

    private static final Unknown NOT_REPORTED_SINCE_RESTORE = new Unknown(Reason.NOT_REPORTED_SINCE_RESTORE);

    /** Long enough for any outage that a region survives under the same name; milliseconds. */
    static final long FORGET_AFTER_MS = 3_600_000;

    /** What is to be forgotten is looked for no more often, in milliseconds. */
    static final long FORGET_EVERY_MS = 60_000;

    /** A master looks every few minutes: where more time went by, or less than none, nobody looked or our clock was set. */
    static final long GAP_MS = 900_000;

    /** A server that declines over hours is known minutes later; milliseconds. */
    static final long DECLINES_EVERY_MS = 290_000;

    /** What another master knew is not used after so many half-lives: it would weigh 1/64, less than ten seconds seen here. */
    private static final int MOST_HALF_LIVES = 6;

    private final ReportDeduplicator deduplicator = new ReportDeduplicator();
    private final SplitMergeInheritance splitMerge = new SplitMergeInheritance();
    private final SortedMap<ServerId, String> problems = new TreeMap<>();
    private int refused;
    private final SuspectServerDetector suspects = SuspectServerDetector.ofDrops();
    private final SuspectServerDetector declines = SuspectServerDetector.ofDeclines();
    /** When each server was last judged over hours, which takes as long as over minutes and need not be done as often. */
    private final Map<ServerId, Long> declineJudgedMs = new HashMap<>();

    private final TrackedRegions regions = new TrackedRegions();
    private final ReportOrder<ServerId, RegionNameHash, RegionLoadTracker> reportOrder =
            new ReportOrder<>(RegionLoadTracker::hasName);
    private final Map<TableId, TableId> tables = new HashMap<>();
    /** What another master knew of regions that have not been reported here yet. */
    private Map<RegionNameHash, InheritedRates> restored = new HashMap<>();

    private long restoredUntilMs;
    private HeatConfig config;
    private TableWeights weights = TableWeights.DEFAULTS;
    private RateDecays decays;
    private ActivityFilter activity;
    private OptionalLong lastUpdateMs = OptionalLong.empty();
    /** When reports were last learnt from, or older knowledge was aged to. */
    private OptionalLong knownAtMs = OptionalLong.empty();

    private Set<ServerId> liveBefore = Set.of();
    /** How often parents were looked for: all regions are gone through for that where any is new. */
    private long looksForParents;

    private long forgotMs;
    /** At the last look for what is to be forgotten; no region was seen before. */
    private long oldestSeenMs;

    public HeatModel(HeatConfig config) {
        this.config = config;
        decays = RateDecays.of(config);
        activity = ActivityFilter.of(config.activity());
    }

    /** Takes new settings, which hold from now on for every region. */
    public synchronized void configure(HeatConfig newConfig) {
        config = newConfig;
        decays = RateDecays.of(newConfig);
        activity = ActivityFilter.of(newConfig.activity());
    }

    /** Takes how far apart two readings of a server's report are from now on, in milliseconds. */
    public synchronized void readEvery(long ms) {
        splitMerge.readEvery(ms);
    }

    /** Takes how much tables count, which holds from now on for every region. */
    public synchronized void setWeights(TableWeights newWeights) {
        weights = newWeights;
    }

    /** How much tables count. */
    public synchronized TableWeights weights() {
        return weights;
    }

    /** {@link #update(ReportBatch, long, long)} with the last report of each live server, where nobody sets our clock. */
    public void update(Collection<ServerReport> reports, long nowMs) {
        update(ReportBatch.ofAll(reports), nowMs, nowMs);
    }

    /**
     * Learns from what this look brings; reports that were seen before change nothing.
     *
     * @param nowMs our own time, in milliseconds since 1970
     * @param monotonicMs the same by a clock that nobody sets, in milliseconds from any moment on: the servers' clocks are held against
     *     it, since the one that tells {@code nowMs} may be set when theirs are, and as far
     */
    public synchronized void update(ReportBatch round, long nowMs, long monotonicMs) {
        skipGap(nowMs);
        deduplicator.retainServers(round.live());
        deduplicator.look(round.reportMsByServer(), monotonicMs);
        reportOrder.retainServers(round.live());
        suspects.retainServers(round.live());
        declines.retainServers(round.live());
        declineJudgedMs.keySet().retainAll(round.live());
        List<ServerUpdate> newReports = new ArrayList<>(round.newReports().size());
        for (ServerReport report : round.newReports()) {
            deduplicator
                    .accept(report, monotonicMs)
                    .ifPresent(incarnation -> newReports.add(read(incarnation, report, nowMs)));
        }
        // Before they are learnt: the rates of a server that serves little of what it is asked for are not.
        // One that has declined is held to the rates of hours, and is no drop by minutes for that.
        suspects.judge(
                newReports.stream()
                        .map(ServerUpdate::measurement)
                        .filter(measurement -> !hasDeclined(measurement.server()))
                        .toList(),
                config.suspectServedRatio(),
                nowMs);
        declines.judge(
                newReports.stream()
                        .flatMap(ofServer -> measurementOverHours(ofServer, nowMs).stream())
                        .toList(),
                config.suspectServedRatio(),
                nowMs);
        newReports.forEach(ofServer -> learn(ofServer, nowMs));
        if (!newReports.isEmpty()) {
            knownAtMs = OptionalLong.of(nowMs);
        }
        // HBase looks after each executed move, most often with nothing new: then no region has come or gone.
        if (!newReports.isEmpty() || !round.live().containsAll(liveBefore)) {
            inherit(nowMs);
        }
        liveBefore = round.live();
        forget(nowMs);
    }

    @Override
    public synchronized RegionHeat heat(EncodedRegionName region) {
        RegionNameHash key = RegionNameHash.of(region);
        RegionLoadTracker tracker = regions.get(key);
        if (tracker == null) {
            return restored.containsKey(key) ? NOT_REPORTED_SINCE_RESTORE : NEVER_REPORTED;
        }
        return tracker.heat(config, weights);
    }

    /** The load of the last minutes, with what reads cost and the table weighs; empty where the region's heat is unknown. */
    @Override
    public synchronized Optional<LoadVector> load(EncodedRegionName region) {
        return weightedLoad(regions.get(RegionNameHash.of(region)));
    }

    @Override
    public synchronized List<Optional<LoadVector>> loads(ServerReport report) {
        List<Optional<LoadVector>> loads = new ArrayList<>(report.regions().size());
        ReportOrder<ServerId, RegionNameHash, RegionLoadTracker>.Cursor cursor = reportOrder.of(report.server());
        report.regions()
                .forEach(region -> loads.add(weightedLoad(tracker(cursor, RegionNameHash.of(region.region())))));
        return loads;
    }

    private @Nullable RegionLoadTracker tracker(
            ReportOrder<ServerId, RegionNameHash, RegionLoadTracker>.Cursor cursor, RegionNameHash name) {
        RegionLoadTracker tracker = cursor.find(name);
        return tracker == null ? regions.get(name) : tracker;
    }

    private Optional<LoadVector> weightedLoad(@Nullable RegionLoadTracker tracker) {
        return tracker == null ? Optional.empty() : tracker.weightedLoad(config, weights);
    }

    /**
     * A run of the balancer begins: tells shifts of load from swings around it.
     *
     * @return by how much the triggers of its plans are to be wider
     */
    public synchronized Map<LoadDimension, Double> detectShifts(long nowMs) {
        return config.filtersNoise() ? detectShifts(regions, nowMs) : Map.of();
    }

    /**
     * The same among these servers, which are balanced apart from all others: what is much for one group of servers is nothing for
     * another. A region that no server has counts in any group.
     */
    public synchronized Map<LoadDimension, Double> detectShifts(Set<ServerId> among, long nowMs) {
        return config.filtersNoise()
                ? detectShifts(
                        regions.stream()
                                .filter(region -> region.servedBy()
                                        .map(by -> among.contains(by.server()))
                                        .orElse(true))
                                .toList(),
                        nowMs)
                : Map.of();
    }

    private Map<LoadDimension, Double> detectShifts(Collection<RegionLoadTracker> of, long nowMs) {
        Rates noiseMargin = LoadShiftDetector.look(of, decays, nowMs);
        Map<LoadDimension, Double> byDimension = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            if (dimension.isCounter()) {
                byDimension.put(dimension, noiseMargin.get(dimension));
            }
        }
        return byDimension;
    }

    /**
     * When a shift of this region's load away from its mean of hours was last found, by our clock: {@link Long#MIN_VALUE} if never,
     * {@link Long#MAX_VALUE} where the noise filter, which looks for shifts, is off.
     */
    public synchronized long shiftedAtMs(EncodedRegionName region) {
        if (!config.filtersNoise()) {
            return Long.MAX_VALUE;
        }
        RegionLoadTracker tracker = regions.get(RegionNameHash.of(region));
        return tracker == null ? Long.MIN_VALUE : tracker.shiftedAtMs();
    }

    /** The latest {@link #shiftedAtMs} of these regions; {@link Long#MIN_VALUE} of none. */
    public synchronized long lastShiftMs(Collection<EncodedRegionName> of) {
        return of.stream().mapToLong(this::shiftedAtMs).max().orElse(Long.MIN_VALUE);
    }

    /** Whether this region is hot enough to be worth a move at all; every one is where no measure of that is set. */
    public synchronized boolean isActive(EncodedRegionName region) {
        RegionLoadTracker tracker = regions.get(RegionNameHash.of(region));
        return tracker == null ? !config.activity().isOn() : activity.isActive(tracker);
    }

    /** Whether the last report of the server that had this region still speaks of it. */
    public synchronized boolean isServed(EncodedRegionName region) {
        RegionLoadTracker tracker = regions.get(RegionNameHash.of(region));
        return tracker != null && !tracker.isMissing();
    }

    /** What was refused since the last call: how many regions' reports, and one sentence for each server. */
    public synchronized Refused takeRefused() {
        Refused taken = new Refused(refused, List.copyOf(problems.values()));
        refused = 0;
        problems.clear();
        return taken;
    }

    /** Reports of regions that no server can have made. Immutable. */
    public record Refused(int reports, List<String> problems) {}

    /** The servers that serve much less than is asked of them, sorted: what they serve is not learnt from. */
    public synchronized List<SuspectServer> suspects() {
        SortedMap<ServerId, SuspectServer> all = new TreeMap<>();
        declines.all().forEach(suspect -> all.put(suspect.server(), suspect));
        suspects.all().forEach(suspect -> all.put(suspect.server(), suspect));
        return List.copyOf(all.values());
    }

    /** The servers whose own word on their calls is worth asking for, sorted. */
    public synchronized List<ServerId> serversToProbe() {
        return Stream.of(suspects, declines)
                .flatMap(detector -> detector.worthProbing().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** What a server said of its calls; of one that nobody has asked about it changes nothing. */
    public synchronized void rpcStatsReceived(ServerId server, ServerRpcStats rpcStats) {
        suspects.rpcStatsReceived(server, rpcStats);
        declines.rpcStatsReceived(server, rpcStats);
    }

    /** How many regions are followed. */
    public synchronized int size() {
        return regions.size();
    }

    /** How many names of tables are kept. */
    synchronized int tables() {
        return tables.size();
    }

    /**
     * What is known, for the next master: as of the last report that was learnt from, since nobody may have read any for days. Regions that
     * nothing is known of are left out.
     */
    public synchronized HeatSnapshot snapshot(long nowMs) {
        List<RegionEntry> entries = new ArrayList<>(regions.size());
        for (RegionLoadTracker tracker : regions) {
            if (tracker.observedMs() > 0) {
                RegionNameHash name = tracker.name();
                entries.add(new RegionEntry(name.high(), name.low(), tracker.toInherited()));
            }
        }
        restored.forEach((key, inherited) -> entries.add(new RegionEntry(key.high(), key.low(), inherited)));
        return new HeatSnapshot(Math.min(nowMs, knownAtMs.orElse(nowMs)), entries);
    }

    /**
     * Puts what another master knew under what has been learnt here; the older it is, the less it weighs.
     *
     * @return whether the snapshot was young enough to be used
     */
    public synchronized boolean restore(HeatSnapshot snapshot, long nowMs) {
        if (nowMs - snapshot.takenAtMs() >= MOST_HALF_LIVES * config.halfLifeMs()) {
            return false;
        }
        for (RegionEntry entry : snapshot.regions()) {
            RegionNameHash key = new RegionNameHash(entry.high(), entry.low());
            InheritedRates inherited = entry.heat().aged(decays, Math.max(0, nowMs - snapshot.takenAtMs()));
            RegionLoadTracker tracker = regions.get(key);
            if (tracker == null) {
                restored.put(key, inherited);
            } else {
                tracker.mergeOlder(inherited, decays);
            }
        }
        restoredUntilMs = nowMs + FORGET_AFTER_MS;
        knownAtMs = OptionalLong.of(nowMs);
        return true;
    }

    /** Time in which nobody looked is none in which a region was not seen. */
    private void skipGap(long nowMs) {
        long passedMs = lastUpdateMs.isPresent() ? nowMs - lastUpdateMs.getAsLong() : 0;
        if (passedMs < 0 || passedMs > GAP_MS) {
            regions.forEach(tracker -> tracker.shiftSeenAt(passedMs));
            oldestSeenMs += passedMs;
        }
        lastUpdateMs = OptionalLong.of(nowMs);
    }

    /** What a server's new report says of each of its regions, until it is known whether its rates are to be believed. */
    private record ServerUpdate(ServerReport report, List<RegionUpdate> regions, ServerMeasurement measurement) {}

    private record RegionUpdate(RegionLoadTracker tracker, RegionSample sample, RegionReport report) {}

    private boolean hasDeclined(ServerId server) {
        return declines.isRateFrozen(server) && !suspects.isRateFrozen(server);
    }

    /** The same report against what its regions served over hours; those that have just landed have left it with another server. */
    private Optional<ServerMeasurement> measurementOverHours(ServerUpdate newReport, long nowMs) {
        ServerMeasurement byMinutes = newReport.measurement();
        Long judgedMs = declineJudgedMs.get(byMinutes.server());
        if (config.suspectServedRatio() <= 0 || judgedMs != null && Math.abs(nowMs - judgedMs) < DECLINES_EVERY_MS) {
            return Optional.empty();
        }
        declineJudgedMs.put(byMinutes.server(), nowMs);
        List<RegionMeasurement> measures = new ArrayList<>(newReport.regions().size());
        for (RegionUpdate region : newReport.regions()) {
            RegionLoadTracker tracker = region.tracker();
            if (region.sample().hasRate()
                    && tracker.observedMs() >= config.minObservedMs()
                    && !tracker.hasJustArrived(nowMs)) {
                measures.add(new RegionMeasurement(
                        tracker.table(),
                        tracker.referenceRates(),
                        region.sample().perSecond(),
                        false));
            }
        }
        return Optional.of(ServerMeasurement.of(byMinutes.server(), byMinutes.elapsedMs(), measures, nowMs));
    }

    private ServerUpdate read(ServerIncarnation incarnation, ServerReport report, long nowMs) {
        long frozenSinceMs = suspects.frozenSinceMs(report.server(), nowMs);
        List<RegionUpdate> regionNews = new ArrayList<>(report.regions().size());
        List<RegionMeasurement> measures = new ArrayList<>(report.regions().size());
        ReportOrder<ServerId, RegionNameHash, RegionLoadTracker>.Cursor cursor = reportOrder.of(report.server());
        List<RegionLoadTracker> inOrder = new ArrayList<>(report.regions().size());
        long elapsedMs = 0;
        for (RegionReport region : report.regions()) {
            RegionNameHash name = RegionNameHash.of(region.region());
            RegionLoadTracker tracker = tracker(cursor, name);
            if (tracker == null) {
                tracker = begin(name, region, nowMs);
            }
            inOrder.add(tracker);
            boolean isElsewhere = tracker.isElsewhere(incarnation);
            Optional<RegionSample> sample = tracker.follow(incarnation, region);
            if (sample.isPresent()) {
                if (isElsewhere && tracker.observedMs() >= config.minObservedMs()) {
                    tracker.arrives(nowMs);
                }
                RegionSample plausible = plausibleSample(report.server(), region, sample.get());
                regionNews.add(new RegionUpdate(tracker, plausible, region));
                elapsedMs = Math.max(elapsedMs, plausible.elapsedMs());
                measure(tracker, plausible, frozenSinceMs).ifPresent(measures::add);
            }
        }
        reportOrder.put(report.server(), inOrder);
        return new ServerUpdate(report, regionNews, ServerMeasurement.of(report.server(), elapsedMs, measures, nowMs));
    }

    /** The sample, or none where no server can have served that. */
    private RegionSample plausibleSample(ServerId server, RegionReport region, RegionSample sample) {
        Optional<String> problem = PlausibilityCheck.problem(server, region, sample);
        if (problem.isEmpty()) {
            return sample;
        }
        refused++;
        problems.putIfAbsent(server, problem.get());
        return PlausibilityCheck.isPossible(sample) ? sample : RegionSample.FIRST_REPORT;
    }

    private Optional<RegionMeasurement> measure(RegionLoadTracker tracker, RegionSample sample, long frozenSinceMs) {
        if (!sample.hasRate()) {
            return Optional.empty();
        }
        Rates served = sample.perSecond();
        if (tracker.observedMs() < config.minObservedMs()) {
            return Optional.of(new RegionMeasurement(tracker.table(), Rates.NONE, served, false));
        }
        boolean hasJustArrived = tracker.hasJustArrived(frozenSinceMs);
        Rates expected = hasJustArrived ? tracker.arrivalRates() : tracker.smoothed();
        return Optional.of(new RegionMeasurement(tracker.table(), expected, served, hasJustArrived));
    }

    private void learn(ServerUpdate newReports, long nowMs) {
        ServerId server = newReports.report().server();
        boolean hasDeclined = hasDeclined(server);
        boolean isRateFrozen = suspects.isRateFrozen(server) || hasDeclined;
        boolean isSuspectAnew = suspects.isSuspectAnew(server);
        boolean hasLostWhatLanded = suspects.isRateFrozenByArrivals(server) || isSuspectAnew;
        long frozenSinceMs = suspects.frozenSinceMs(server, nowMs);
        for (RegionUpdate region : newReports.regions()) {
            RegionLoadTracker tracker = region.tracker();
            if (hasLostWhatLanded && tracker.hasJustArrived(frozenSinceMs)) {
                tracker.restoreArrivalRates();
            }
            if ((hasDeclined || isSuspectAnew) && !tracker.hasJustArrived(frozenSinceMs)) {
                tracker.restoreReferenceRates();
            }
            tracker.learn(region.sample(), region.report(), decays, isRateFrozen, nowMs);
            activity.learn(tracker, region.sample(), newReports.report().reportTimeMs());
        }
    }

    private RegionLoadTracker begin(RegionNameHash name, RegionReport report, long nowMs) {
        TableId table = tables.computeIfAbsent(report.table(), first -> first);
        RegionLoadTracker tracker = new RegionLoadTracker(name, table, report);
        regions.add(tracker);
        InheritedRates inherited = restored.remove(name);
        if (inherited != null) {
            tracker.mergeOlder(inherited, decays);
        } else {
            report.nameInfo()
                    .map(RegionNameInfo::regionIdMs)
                    .ifPresent(madeMs -> splitMerge.regionAppeared(tracker, madeMs, nowMs));
        }
        return tracker;
    }

    /** How often parents of new regions were looked for. */
    synchronized long looksForParents() {
        return looksForParents;
    }

    private void inherit(long nowMs) {
        looksForParents++;
        SplitMergeInheritance.Inheritance inheritance = splitMerge.resolve(regions, nowMs);
        inheritance
                .ratesByRegion()
                .forEach(
                        (daughter, inherited) -> daughter.mergeOlder(inherited.atMost(config.minObservedMs()), decays));
        if (!inheritance.parents().isEmpty()) {
            regions.removeIf(inheritance.parents()::contains);
            reportOrder.clear();
        }
    }

    /** Looks at every region, so not at each look at the cluster. */
    private void forget(long nowMs) {
        // A clock that was set back keeps nothing for longer.
        restoredUntilMs = Math.min(restoredUntilMs, nowMs + FORGET_AFTER_MS);
        if (nowMs > restoredUntilMs) {
            restored = new HashMap<>();
        }
        if (oldestSeenMs >= nowMs - FORGET_AFTER_MS || Math.abs(nowMs - forgotMs) < FORGET_EVERY_MS) {
            return;
        }
        forgotMs = nowMs;
        if (regions.removeIf(tracker -> tracker.seenAtMs() < nowMs - FORGET_AFTER_MS)) {
            reportOrder.clear();
            Set<TableId> followed =
                    regions.stream().map(RegionLoadTracker::table).collect(Collectors.toSet());
            tables.keySet().retainAll(followed);
        }
        oldestSeenMs =
                regions.stream().mapToLong(RegionLoadTracker::seenAtMs).min().orElse(nowMs);
    }
}
