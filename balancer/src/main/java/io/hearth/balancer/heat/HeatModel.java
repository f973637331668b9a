package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.heat.SuspectServers.Look;
import io.hearth.balancer.heat.SuspectServers.Measure;
import io.hearth.balancer.ingest.Origin;
import io.hearth.balancer.ingest.Plausibility;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.RegionSample;
import io.hearth.balancer.ingest.ReportIntake;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.ingest.ServerRun;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The heat of every region, learnt from the servers' reports: decayed read and write rates per second of report time over
 * two horizons, and the last known sizes in bytes.
 *
 * <p>Heat belongs to the region and not to where it is served, so it outlives a move, and {@link Lineage hands it down} in
 * splits and merges. A region that nobody has reported for {@value #FORGET_AFTER_MS} ms is forgotten. Thread-safe: every
 * method holds this object's lock, for microseconds a region and without any call elsewhere.
 */
public final class HeatModel implements RegionHeats {

    /** Long enough for any outage that a region survives under the same name; milliseconds. */
    static final long FORGET_AFTER_MS = 3_600_000;

    /** A master looks every few minutes: where more time went by, or less than none, nobody looked or our clock was set. */
    static final long GAP_MS = 900_000;

    private final ReportIntake intake = new ReportIntake();
    private final Lineage lineage = new Lineage();
    private final SortedMap<ServerId, String> objections = new TreeMap<>();
    private int refused;
    private final SuspectServers suspects = new SuspectServers();
    private final Map<RegionKey, RegionTrack> regions = new HashMap<>();
    private final Map<TableId, TableId> tables = new HashMap<>();
    private final RestoredHeat restored = new RestoredHeat();
    private HeatConfig config;
    private Horizons horizons;
    private HotMeasure hot;
    private OptionalLong lastUpdateMs = OptionalLong.empty();

    public HeatModel(HeatConfig config) {
        this.config = config;
        horizons = Horizons.of(config);
        hot = HotMeasure.of(config.hot());
    }

    /** Takes new settings, which hold from now on for every region. */
    public synchronized void configure(HeatConfig newConfig) {
        config = newConfig;
        horizons = Horizons.of(newConfig);
        hot = HotMeasure.of(newConfig.hot());
    }

    /**
     * Learns from the last report of each live server; reports that were seen before change nothing.
     *
     * @param nowMs our own time, in milliseconds since 1970
     */
    public synchronized void update(Collection<ServerReport> reports, long nowMs) {
        bridgeGap(nowMs);
        Set<ServerId> live = reports.stream().map(ServerReport::server).collect(Collectors.toSet());
        intake.retainServers(live);
        suspects.retainServers(live);
        List<ServerNews> news = new ArrayList<>();
        for (ServerReport report : reports) {
            intake.accept(report, nowMs).ifPresent(run -> news.add(read(run, report, nowMs)));
        }
        // Before they are learnt: the rates of a server that serves little of what it is asked for are not.
        suspects.judge(news.stream().map(ServerNews::look).toList(), config.suspectServedRatio(), nowMs);
        news.forEach(ofServer -> learn(ofServer, nowMs));
        inherit(nowMs);
        forget(nowMs);
    }

    @Override
    public synchronized RegionHeat heat(RegionId region) {
        RegionKey key = RegionKey.of(region);
        RegionTrack track = regions.get(key);
        if (track == null) {
            return new Unknown(restored.contains(key) ? Reason.NOT_SEEN_SINCE_RESTORED : Reason.NEVER_REPORTED);
        }
        if (track.observedMs() < config.minObservedMs()) {
            Rates first = track.last();
            return new Unknown(
                    Reason.SEEN_TOO_BRIEFLY, LoadVector.of(first.readsPerSecond(), first.writesPerSecond(), 0));
        }
        return new Known(
                track.load(track.acting(), config.remoteReadExtra()),
                track.load(track.recent(), config.remoteReadExtra()),
                track.load(track.last(), config.remoteReadExtra()),
                track.costOfARead(config.remoteReadExtra()),
                track.load(
                        config.filtersNoise() && !track.isHeld()
                                ? track.longRun().mean()
                                : track.acting(),
                        config.remoteReadExtra()));
    }

    /**
     * A run of the balancer begins: tells shifts of load from swings around it.
     *
     * @return by how much the triggers of its plans are to be wider
     */
    public synchronized Map<LoadDimension, Double> lookForShifts(long nowMs) {
        if (!config.filtersNoise()) {
            return Map.of();
        }
        Shifts.Doubt doubt = Shifts.look(regions.values(), horizons, nowMs);
        return Map.of(LoadDimension.READS, doubt.reads(), LoadDimension.WRITES, doubt.writes());
    }

    /**
     * When the load of this region was last found to be another than in the long run; long ago where it never was, and at any time
     * where nobody looks for that.
     */
    public synchronized long shiftedAtMs(RegionId region) {
        if (!config.filtersNoise()) {
            return Long.MAX_VALUE;
        }
        RegionTrack track = regions.get(RegionKey.of(region));
        return track == null ? Long.MIN_VALUE : track.shiftedAtMs();
    }

    /** Whether this region is hot enough to be worth a move at all; every one is where no measure of that is set. */
    public synchronized boolean isWorthAMove(RegionId region) {
        RegionTrack track = regions.get(RegionKey.of(region));
        return track == null ? !config.hot().isOn() : hot.isHot(track);
    }

    /** Whether the last report of the server that had this region still speaks of it. */
    public synchronized boolean isServed(RegionId region) {
        RegionTrack track = regions.get(RegionKey.of(region));
        return track != null && !track.isMissing();
    }

    /** What was refused since the last call: how many regions' reports, and one sentence for each server. */
    public synchronized Refused takeRefused() {
        Refused taken = new Refused(refused, List.copyOf(objections.values()));
        refused = 0;
        objections.clear();
        return taken;
    }

    /** Reports of regions that no server can have made. Immutable. */
    public record Refused(int reports, List<String> objections) {}

    /** The servers that serve much less than is asked of them, sorted: what they serve is not learnt from. */
    public synchronized List<SuspectServer> suspects() {
        return suspects.all();
    }

    /** The servers whose own word on their calls is worth asking for, sorted. */
    public synchronized List<ServerId> serversToAsk() {
        return suspects.worthAsking();
    }

    /** What a server said of its calls; of one that nobody has asked about it changes nothing. */
    public synchronized void told(ServerId server, ServerVitals vitals) {
        suspects.told(server, vitals);
    }

    /** How many regions are followed. */
    public synchronized int size() {
        return regions.size();
    }

    /** How many names of tables are kept. */
    synchronized int tables() {
        return tables.size();
    }

    /** What is known now, for the next master. Regions that nothing is known of are left out. */
    public synchronized HeatSnapshot snapshot(long nowMs) {
        List<RegionEntry> entries = new ArrayList<>(regions.size());
        regions.forEach((key, track) -> {
            if (track.observedMs() > 0) {
                entries.add(new RegionEntry(key.high(), key.low(), track.asPast()));
            }
        });
        restored.forEach((key, past) -> entries.add(new RegionEntry(key.high(), key.low(), past)));
        return new HeatSnapshot(nowMs, entries);
    }

    /**
     * Puts what another master knew under what has been learnt here; the older it is, the less it weighs.
     *
     * @return whether the snapshot was young enough to be used
     */
    public synchronized boolean restore(HeatSnapshot snapshot, long nowMs) {
        if (!RestoredHeat.isYoungEnough(snapshot, config, nowMs)) {
            return false;
        }
        for (RegionEntry entry : snapshot.regions()) {
            RegionKey key = new RegionKey(entry.high(), entry.low());
            PastHeat past = RestoredHeat.aged(entry.heat(), horizons, Math.max(0, nowMs - snapshot.takenAtMs()));
            RegionTrack track = regions.get(key);
            if (track == null) {
                restored.put(key, past);
            } else {
                track.putUnder(past, horizons);
            }
        }
        restored.keepUntil(nowMs + FORGET_AFTER_MS);
        return true;
    }

    /** Time in which nobody looked is none in which a region was not seen. */
    private void bridgeGap(long nowMs) {
        long passedMs = lastUpdateMs.isPresent() ? nowMs - lastUpdateMs.getAsLong() : 0;
        if (passedMs < 0 || passedMs > GAP_MS) {
            regions.values().forEach(track -> track.seenLaterBy(passedMs));
        }
        lastUpdateMs = OptionalLong.of(nowMs);
    }

    /** What a server's new report says of each of its regions, until it is known whether its rates are to be believed. */
    private record ServerNews(ServerReport report, List<RegionNews> regions, Look look) {}

    private record RegionNews(RegionTrack track, RegionSample sample, RegionReport report) {}

    private ServerNews read(ServerRun run, ServerReport report, long nowMs) {
        long heldSinceMs = suspects.heldSinceMs(report.server(), nowMs);
        List<RegionNews> regionNews = new ArrayList<>(report.regions().size());
        List<Measure> measures = new ArrayList<>(report.regions().size());
        long elapsedMs = 0;
        for (RegionReport region : report.regions()) {
            RegionKey key = RegionKey.of(region.region());
            RegionTrack track = regions.get(key);
            if (track == null) {
                track = begin(key, region, nowMs);
            }
            boolean isElsewhere = track.isElsewhere(run);
            Optional<RegionSample> sample = track.follow(run, region);
            if (sample.isPresent()) {
                if (isElsewhere && track.observedMs() >= config.minObservedMs()) {
                    track.lands(nowMs);
                }
                RegionSample counted = counted(report.server(), region, sample.get());
                regionNews.add(new RegionNews(track, counted, region));
                elapsedMs = Math.max(elapsedMs, counted.elapsedMs());
                measure(track, counted, heldSinceMs).ifPresent(measures::add);
            }
        }
        return new ServerNews(report, regionNews, Look.of(report.server(), elapsedMs, measures, nowMs));
    }

    /** The sample, or none where no server can have served that. */
    private RegionSample counted(ServerId server, RegionReport region, RegionSample sample) {
        Optional<String> objection = Plausibility.objection(server, region, sample);
        if (objection.isPresent()) {
            refused++;
            objections.putIfAbsent(server, objection.get());
        }
        return Plausibility.isPossible(sample) ? sample : RegionSample.FIRST_LOOK;
    }

    private Optional<Measure> measure(RegionTrack track, RegionSample sample, long heldSinceMs) {
        if (!sample.hasRate()) {
            return Optional.empty();
        }
        Rates served = Rates.of(sample.reads(), sample.writes(), sample.elapsedMs());
        if (track.observedMs() < config.minObservedMs()) {
            return Optional.of(new Measure(track.table(), Rates.NONE, served, false));
        }
        boolean hasJustLanded = track.hasJustLanded(heldSinceMs);
        Rates expected = hasJustLanded ? track.landed() : track.acting();
        return Optional.of(new Measure(track.table(), expected, served, hasJustLanded));
    }

    private void learn(ServerNews news, long nowMs) {
        ServerId server = news.report().server();
        boolean isHeld = suspects.isHeld(server);
        boolean hasLostWhatLanded = suspects.isHeldForWhatLanded(server);
        long heldSinceMs = suspects.heldSinceMs(server, nowMs);
        for (RegionNews region : news.regions()) {
            RegionTrack track = region.track();
            if (hasLostWhatLanded && track.hasJustLanded(heldSinceMs)) {
                track.takeLanded();
            }
            track.learn(region.sample(), region.report(), horizons, isHeld, nowMs);
            hot.learn(track, region.sample(), news.report().reportTimeMs());
        }
    }

    private RegionTrack begin(RegionKey key, RegionReport report, long nowMs) {
        TableId table = tables.computeIfAbsent(report.table(), name -> name);
        RegionTrack track = new RegionTrack(table, report);
        regions.put(key, track);
        Optional<PastHeat> past = restored.take(key);
        if (past.isPresent()) {
            track.putUnder(past.get(), horizons);
        } else {
            report.origin().map(Origin::regionIdMs).ifPresent(madeMs -> lineage.born(track, madeMs, nowMs));
        }
        return track;
    }

    private void inherit(long nowMs) {
        Lineage.Heirs heirs = lineage.resolve(regions.values(), nowMs);
        heirs.heatByHeir().forEach((heir, past) -> heir.putUnder(past.atMost(config.minObservedMs()), horizons));
        if (!heirs.parents().isEmpty()) {
            regions.values().removeAll(heirs.parents());
        }
    }

    private void forget(long nowMs) {
        if (regions.values().removeIf(track -> track.seenAtMs() < nowMs - FORGET_AFTER_MS)) {
            Set<TableId> followed =
                    regions.values().stream().map(RegionTrack::table).collect(Collectors.toSet());
            tables.keySet().retainAll(followed);
        }
        restored.forget(nowMs);
    }
}
