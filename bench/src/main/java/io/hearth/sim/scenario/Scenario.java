// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import io.hearth.common.model.LoadDimension;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What happens in one simulated run and what is expected of it. Immutable. Servers and regions are numbered from 1.
 *
 * @param name the file's name without its ending
 * @param title one line
 * @param seed of everything that is left to chance
 * @param lastsMs simulated time, in milliseconds
 * @param noise that lies over all requests
 * @param blocks where the regions' blocks are, and what the balancer knows of it
 * @param settings what {@code hbase-site.xml} has beside the defaults
 */
public record Scenario(
        String name,
        String title,
        long seed,
        long lastsMs,
        List<ServerSpec> servers,
        List<TableSpec> tables,
        List<LoadSpec> loads,
        List<ScenarioEvent> happenings,
        Timing timing,
        Noise noise,
        Blocks blocks,
        Map<String, String> settings,
        List<Expectation> expectations) {

    public Scenario {
        servers = List.copyOf(servers);
        tables = List.copyOf(tables);
        loads = List.copyOf(loads);
        happenings = List.copyOf(happenings);
        settings = Map.copyOf(settings);
        expectations = List.copyOf(expectations);
    }

    /** The same with these settings over its own. */
    public Scenario withSettings(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(more);
        return new Scenario(
                name,
                title,
                seed,
                lastsMs,
                servers,
                tables,
                loads,
                happenings,
                timing,
                noise,
                blocks,
                all,
                expectations);
    }

    /** Where the blocks of regions are. */
    public enum Blocks {
        /** Nobody knows. */
        UNKNOWN,
        /** On the server of their region, wherever that goes, at once. */
        LOCAL,
        /** On the DataNodes of a simulated HDFS, where the healing loop that ships moves them. */
        HEALED
    }

    /** One server. */
    public record ServerSpec(String rack, double capacity) {}

    /**
     * A table and its regions.
     *
     * @param replicas of each region, 1 for the primary alone
     * @param initialPlacement where its regions are to begin with
     */
    public record TableSpec(
            String name, int regions, long bytesPerRegion, int replicas, InitialPlacement initialPlacement) {}

    /** Where a table's regions are to begin with. */
    public enum InitialPlacement {
        /** One after the other, server by server. */
        ROUND_ROBIN,
        /** As many on each server, which ones is left to chance. */
        SHUFFLED,
        /** All on the first server. */
        ALL_ON_FIRST
    }

    /** Requests to a table: how many, how spread over its regions, how they change with time. */
    public record LoadSpec(
            String table, LoadDimension dimension, double perSecond, LoadDistribution distribution, Wave wave) {}

    /** How requests are spread over the regions of a table. */
    public sealed interface LoadDistribution {

        /** As many to each. */
        record Evenly() implements LoadDistribution {}

        /** Lognormal over the regions, with this sigma. */
        record Lognormal(double sigma) implements LoadDistribution {}

        /** Zipf over keys that are hashed over the regions, as in YCSB. */
        record Zipf(double exponent) implements LoadDistribution {}

        /** So many of them to what this server serves at the begin, the rest to the others. */
        record OnServer(double perSecond, int server) implements LoadDistribution {}

        /** To so many regions at a time, and to the next ones after each step. */
        record MovingFront(int regions, long stepMs) implements LoadDistribution {}

        /** All to one region. */
        record OneRegion(int region) implements LoadDistribution {}
    }

    /**
     * How requests change with time.
     *
     * @param amplitude share by which they rise and fall around their number, 0 to 1
     * @param periodMs of that
     * @param during when they come at all
     */
    public record Wave(double amplitude, long periodMs, TimeInterval during) {

        /** As many at any time. */
        public static final Wave NONE = new Wave(0, 1, TimeInterval.ALWAYS);

        /** The factor at this time. */
        public double at(long timeMs) {
            if (!during.contains(timeMs)) {
                return 0;
            }
            return amplitude == 0 ? 1 : 1 + amplitude * Math.sin(2 * Math.PI * timeMs / periodMs);
        }
    }

    /**
     * What makes each region's requests more or fewer by chance.
     *
     * @param share of them, 0 to 1, by which they are up or down at most
     * @param stepMs for which it stays so
     */
    public record Noise(double share, long stepMs) {

        /** None. */
        public static final Noise NONE = new Noise(0, 1);

        /** The factor for one region at this time; the same for the same seed. */
        public double at(long seedOfRegion, long timeMs) {
            return share == 0
                    ? 1
                    : 1 + share * (2 * new SplittableRandom(seedOfRegion * 31 + timeMs / stepMs).nextDouble() - 1);
        }
    }

    /** Something that befalls the cluster at one time. */
    public sealed interface ScenarioEvent {

        long atMs();

        /** A server dies; what it served is assigned to the others some seconds later. */
        record Crash(long atMs, int server, OptionalInt regionsGoTo) implements ScenarioEvent {}

        /** A server that crashed is back, empty. */
        record Return(long atMs, int server) implements ScenarioEvent {}

        /** A server that was not there before comes, empty. */
        record Join(long atMs, double capacity) implements ScenarioEvent {}

        /** A region becomes two of half its keys each. */
        record Split(long atMs, String table, int region) implements ScenarioEvent {}

        /** The master's clock is set to another time: ahead, or back where this is below 0. */
        record ClockStep(long atMs, long byMs) implements ScenarioEvent {}

        /** A server serves only this share of what it is asked for, 0 to 1, and reports on time. */
        record SlowServer(long atMs, int server, double share) implements ScenarioEvent {}

        /** A person moves a region. */
        record ManualMove(long atMs, String table, int region, int server) implements ScenarioEvent {}
    }

    /**
     * How long things take, in milliseconds.
     *
     * @param reportMs between two reports of a server
     * @param reportLossShare of the reports that never arrive, 0 to 1
     * @param reportStaleShare of the master's readings of a server, 0 to 1, that get the report before the last one again
     * @param runMs between two runs of the balancer
     * @param moveMs in which a moving region is on no server
     * @param isForced whether the balancer runs while regions are on their way, as by {@code balancer 'force'}
     */
    public record Timing(
            long reportMs, double reportLossShare, double reportStaleShare, long runMs, long moveMs, boolean isForced) {

        /** HBase's defaults. */
        public static final Timing DEFAULT = new Timing(3_000, 0, 0, 300_000, 2_000, false);

        Timing withReports(long everyMs, double lossShare, double staleShare) {
            return new Timing(everyMs, lossShare, staleShare, runMs, moveMs, isForced);
        }

        Timing withRuns(long everyMs, long ofMoveMs, boolean forced) {
            return new Timing(reportMs, reportLossShare, reportStaleShare, everyMs, ofMoveMs, forced);
        }
    }

    /**
     * A stretch of a scenario's time, both ends included. Immutable.
     *
     * @param fromMs its begin, in milliseconds since the scenario's
     * @param toMs its end
     */
    public record TimeInterval(long fromMs, long toMs) {

        /** All of it. */
        public static final TimeInterval ALWAYS = new TimeInterval(0, Long.MAX_VALUE);

        public boolean contains(long timeMs) {
            return timeMs >= fromMs && timeMs <= toMs;
        }

        /** The span as the end of a sentence: {@code " from 10min to 2h"}, or nothing where it is always. */
        public String text() {
            if (equals(ALWAYS)) {
                return "";
            }
            return " from " + ScenarioDurations.text(fromMs)
                    + (toMs == Long.MAX_VALUE ? "" : " to " + ScenarioDurations.text(toMs));
        }
    }
}
