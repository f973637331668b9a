// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheDay;
import io.hearth.doctor.model.ProbedReadCache.CacheSsd;
import io.hearth.doctor.model.ProbedReadCache.Mode;
import io.hearth.doctor.model.ProcessConfig.Role;
import io.hearth.healer.history.HealHistory.HealEndState;
import io.hearth.healer.history.HealHistory.HealRecord;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.Compaction;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageBuilder;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.PageInput.BalancerStatus;
import io.hearth.ui.model.PageInput.DoctorReport;
import io.hearth.ui.model.PageInput.HealerStatus;
import io.hearth.ui.model.PageInput.HealerStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The four states in which the page is tested. */
final class SamplePages {

    private static final long MEGABYTE = 1 << 20;
    private static final List<String> TABLES =
            List.of("tsdb", "tsdb-uid", "orders", "orders_idx", "web:sessions", "web:clicks", "mail", "audit");

    private SamplePages() {}

    /** Hearth has just been installed: no heat, no bytes. */
    static Page empty() {
        List<ServerState> servers = new ArrayList<>();
        for (int server = 0; server < 6; server++) {
            ServerId id = new ServerId("rs%03d.example.org".formatted(server + 1), 16020, SampleCluster.NOW_MS);
            servers.add(
                    new ServerState(id, "/dc1/rack%d".formatted(server % 3 + 1), 1).withRegions(nothingKnown(server)));
        }
        BalancerStatus balancer = new BalancerStatus(
                true,
                true,
                BalancerConfig.read("made up", new MapSettings(Map.of()), key -> true),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        return PageBuilder.build(
                new PageInput(
                        new ClusterState(SampleCluster.NOW_MS, "nobody", ClusterState.UNKNOWN, servers),
                        "master1.example.org:16000",
                        TableWeights.DEFAULTS,
                        balancer,
                        healing(State.ON, 0, 0, List.of()),
                        DoctorReport.NOT_YET),
                region -> List.of());
    }

    /** Two things to fix, and one that could not be read. */
    static DoctorReport doctor() {
        return new DoctorReport(
                OptionalLong.of(SampleCluster.NOW_MS - 14_000),
                false,
                OptionalLong.of(SampleCluster.NOW_MS),
                List.of(
                        new Finding(
                                "read-block-locations",
                                Severity.ERROR,
                                List.of("RegionServer rs001.example.org", "RegionServer rs002.example.org"),
                                "Open readers never ask where their blocks are now: " + HadoopKey.REFRESH_MS.key()
                                        + " is 0.",
                                "Healed blocks are read from afar until a store file is opened again.",
                                List.of(Fix.ConfigLine.of(Role.REGIONSERVER, HadoopKey.REFRESH_MS, 10_000)),
                                "HDFS-16262"),
                        new Finding(
                                "balance-bandwidth",
                                Severity.WARNING,
                                List.of("DataNode rs003.example.org"),
                                "Block moves may take 1.0 MB/s of it just now: a region of 10 GB takes 170 minutes.",
                                "Healing a host whose regions came from elsewhere takes at least its bytes over this rate.",
                                List.of(new Fix.Command("hdfs dfsadmin -setBalancerBandwidth 104857600")),
                                "default of HDFS: 100m"),
                        new Finding(
                                "listen-backlog",
                                Severity.UNKNOWN,
                                List.of("DataNode rs001.example.org"),
                                "net.core.somaxconn can be read on the DataNode's own host alone",
                                "Whether a burst of readers is dropped.",
                                List.of(),
                                "HDFS-9669")),
                List.of(
                        readCache("rs001.example.org", Mode.ON, true),
                        readCache("rs002.example.org", Mode.SHADOW, false),
                        readCache("rs003.example.org", Mode.ON, false)));
    }

    private static NodeReadCache readCache(String host, Mode mode, boolean isServing) {
        return new NodeReadCache(
                host,
                new ProbedReadCache(
                        mode,
                        new CacheSsd(isServing, 1, 1L << 40, 1L << 40),
                        isServing ? 7L << 40 : 0,
                        2L << 40,
                        new CacheDay(86_400_000, isServing ? 398_000 : 0, isServing ? 2_000 : 0, 3L << 38)));
    }

    /** The same with these DataNodes that are not healthy. */
    static Page withUnhealthyDataNodes(Page page, List<UnhealthyHost> nodes) {
        PageInput input = page.input();
        HealerStatus healing = input.healing();
        return PageBuilder.build(
                new PageInput(
                        input.cluster(),
                        input.master(),
                        input.weights(),
                        input.balancer(),
                        new HealerStatus(
                                healing.installed(),
                                healing.state(),
                                healing.why(),
                                healing.limitBytesPerSecond(),
                                healing.dataNodeLimitBytesPerSecond(),
                                healing.verifiedBytesPerSecond(),
                                healing.counts(),
                                healing.gauges(),
                                healing.lastHeals(),
                                healing.localNotReported(),
                                nodes),
                        input.doctor()),
                region -> List.of());
    }

    /** The same with other read caches. */
    static Page withReadCaches(Page page, List<NodeReadCache> readCaches) {
        PageInput input = page.input();
        DoctorReport doctor = input.doctor();
        return PageBuilder.build(
                new PageInput(
                        input.cluster(),
                        input.master(),
                        input.weights(),
                        input.balancer(),
                        input.healing(),
                        new DoctorReport(
                                doctor.startedAtMs(),
                                doctor.isRunning(),
                                doctor.atMs(),
                                doctor.findings(),
                                readCaches)),
                region -> List.of());
    }

    private static List<RegionState> nothingKnown(int server) {
        return List.of(SampleCluster.state(
                new EncodedRegionName("%032x".formatted(server + 1)),
                new TableId(server == 0 ? "hbase:meta" : "orders"),
                new RegionHeat.Unknown(RegionHeat.Reason.OBSERVED_TOO_BRIEFLY),
                StoreFileBytes.NONE));
    }

    /** One server of 24 has far more reads than the others; data is local. */
    static Page hot() {
        return new SampleCluster(7, TABLES, 24, 3, 36, 3.2, 0)
                .with(healing(State.ON, 0, 0, List.of()))
                .page();
    }

    /** Heat is even, and a server has crashed: an eighth of the data is away. */
    static Page healing() {
        List<HealRecord> heals = new ArrayList<>();
        for (int heal = 0; heal < 30; heal++) {
            heals.add(new HealRecord(
                    Instant.ofEpochMilli(SampleCluster.NOW_MS - 9_000L * heal),
                    new EncodedRegionName("%032x".formatted(heal * 982_451_653L)),
                    new TableId(TABLES.get(heal % TABLES.size())),
                    new ServerId("rs%03d.example.org".formatted(heal % 24 + 1), 16020, 1),
                    heal % 7 == 3 ? HealEndState.UNFINISHED : HealEndState.REPORTED,
                    (60 + heal * 13 % 200) * MEGABYTE,
                    1 + heal % 3,
                    4_000 + heal * 300,
                    19_000 + heal * 700));
        }
        return new SampleCluster(11, TABLES, 24, 3, 36, 1, 0.2)
                .with(healing(State.ON, 143, 96.4 * MEGABYTE, heals))
                .balanced()
                .page();
    }

    /** All is healed, and two regions are reported as they were before: the file that they have open was archived. */
    static Page healedAndNotReported() {
        long remote = notReported(List.of()).remoteBytes();
        return notReported(List.of(served("00aa", remote), served("00bb", 0)));
    }

    private static Page notReported(List<ServedRegion> regions) {
        HealerStatus on = healing(State.ON, 0, 0, List.of());
        return new SampleCluster(17, TABLES, 6, 3, 12, 1, 0.2)
                .with(new HealerStatus(
                        on.installed(),
                        on.state(),
                        on.why(),
                        on.limitBytesPerSecond(),
                        on.dataNodeLimitBytesPerSecond(),
                        on.verifiedBytesPerSecond(),
                        on.counts(),
                        on.gauges(),
                        on.lastHeals(),
                        regions,
                        List.of()))
                .page();
    }

    private static ServedRegion served(String region, long remoteBytes) {
        return new ServedRegion(
                new EncodedRegionName(region),
                new TableId("orders"),
                HealRank.USER,
                TableHealingMode.ON,
                new ServerId("rs001.example.org", 16020, 1),
                Optional.of(new ReportedLocality(0, remoteBytes)),
                Compaction.NONE);
    }

    /** 1,000 servers with 100 regions each. */
    static Page large() {
        return new SampleCluster(13, TABLES, 1_000, 8, 100, 2.5, 0.02)
                .with(healing(State.ON, 812, 231.0 * MEGABYTE, List.of()))
                .page();
    }

    private static HealerStatus healing(State state, long queued, double bytesPerSecond, List<HealRecord> heals) {
        Map<HealingGauge, Long> gauges = new EnumMap<>(HealingGauge.class);
        gauges.put(HealingGauge.REGIONS_QUEUED, queued);
        gauges.put(HealingGauge.BLOCKS_IN_FLIGHT, Math.min(32, queued));
        gauges.put(HealingGauge.BLOCKS_WAITING, queued / 3);
        gauges.put(HealingGauge.ESTIMATED_HEAL_MS, queued * 4_000);
        gauges.put(HealingGauge.BYTES_PER_SECOND, queued > 0 ? 140 * MEGABYTE : 64 * MEGABYTE);
        gauges.put(HealingGauge.THROTTLE_REASONS, queued > 0 ? 1L : 0L);
        HealLimit limit = queued > 0 ? HealLimit.DATANODE_BANDWIDTH : HealLimit.NOTHING_WAITS;
        gauges.put(HealingGauge.LIMITED_BY, (long) limit.ordinal());
        Map<HealingCounter, Long> counts = new EnumMap<>(HealingCounter.class);
        for (HealingCounter counter : HealingCounter.values()) {
            counts.put(counter, 0L);
        }
        counts.put(HealingCounter.BYTES_VERIFIED, queued * 1_117 * MEGABYTE);
        counts.put(HealingCounter.REGIONS_HEALED, queued * 6);
        counts.put(HealingCounter.BLOCKS_REVERTED, queued / 40);
        return new HealerStatus(
                true,
                state,
                Optional.empty(),
                256 * MEGABYTE,
                0,
                OptionalDouble.of(bytesPerSecond),
                counts,
                gauges,
                heals,
                List.of(),
                List.of());
    }
}
