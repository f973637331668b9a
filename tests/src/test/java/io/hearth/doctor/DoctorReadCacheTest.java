// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.config.ReadCacheSettings;
import io.hearth.datanode.hdfs.ReadCacheMetrics;
import io.hearth.datanode.hdfs.ReadCacheMetrics.Gauge;
import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.hbase.ReadCacheBean;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheDay;
import io.hearth.doctor.model.ProbedReadCache.CacheSsd;
import io.hearth.doctor.model.ProbedReadCache.Mode;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be wrong with the read caches of DataNodes: each is found, its line mends it, and none is where all caches are well. */
class DoctorReadCacheTest {

    private static final long TERABYTE = 1L << 40;
    private static final long DAY_MS = 86_400_000;
    private static final String SHORT_CIRCUIT = "read-cache-short-circuit";
    private static final String FACTORY = "dfs.datanode.fsdataset.factory";
    private static final String HEARTHS_FACTORY =
            "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory";
    private static final String DETECTION = "dfs.client.deadnode.detection.enabled";
    private static final String MODE = "hearth.datanode.cache.mode";

    private static final CacheSsd SSD = new CacheSsd(true, 0, TERABYTE, TERABYTE);

    /** 995 of 1,000 pages are hits, and a fifth of the SSD was written. */
    private static final CacheDay DAY = new CacheDay(DAY_MS, 39_800_000, 200_000, TERABYTE / 5);

    private static final ProbedReadCache WELL = new ProbedReadCache(Mode.ON, SSD, 50 * TERABYTE, 20 * TERABYTE, DAY);

    private static ProbedReadCache with(CacheSsd ssd) {
        return new ProbedReadCache(Mode.ON, ssd, WELL.ssdBytes(), WELL.diskBytes(), DAY);
    }

    private static ProbedReadCache with(CacheDay day) {
        return new ProbedReadCache(Mode.ON, SSD, WELL.ssdBytes(), WELL.diskBytes(), day);
    }

    private static ProbedReadCache with(Mode mode) {
        return new ProbedReadCache(
                mode, new CacheSsd(mode == Mode.ON, 0, TERABYTE, TERABYTE), 0, WELL.diskBytes(), DAY);
    }

    /** The cluster on which nothing is wrong, each of its DataNodes with this cache. */
    private static ProbedCluster everywhere(ProbedReadCache cache) {
        // The deletion delay is on in every DataNode, so that dead nodes may be detected.
        ProbedCluster cluster = CleanCluster.serverLines(CleanCluster.examined(), DETECTION, "true");
        return CleanCluster.withNodes(
                cluster,
                ProbeResult.known(cluster.dataNodes().ifKnown().orElseThrow().stream()
                        .map(node -> Nodes.settings(node, CleanCluster.with(node.settings(), FACTORY, HEARTHS_FACTORY)))
                        .map(node -> Nodes.settings(
                                node,
                                CleanCluster.with(
                                        node.settings(), MODE, cache.mode().toString())))
                        .map(node -> Nodes.readCache(node, ProbeResult.known(cache)))
                        .toList()));
    }

    private static UnaryOperator<ProbedCluster> atOne(ProbedReadCache cache) {
        return cluster -> CleanCluster.withNode(cluster, node -> Nodes.readCache(node, ProbeResult.known(cache)));
    }

    private static Arguments fault(String check, Severity severity, String where, ProbedReadCache cache) {
        return Arguments.of(check, severity, where, atOne(cache));
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault(
                        "read-cache-ssd",
                        Severity.ERROR,
                        "DataNode host4 (switched off: its SSD failed)",
                        with(new CacheSsd(false, 1, TERABYTE, TERABYTE))),
                fault(
                        "read-cache-folder",
                        Severity.ERROR,
                        "DataNode host4 (its folder is not open)",
                        with(new CacheSsd(false, 0, TERABYTE, TERABYTE))),
                Arguments.of("read-cache-writes", Severity.WARNING, "DataNode host4 (1.5 TB of 1.0 TB)", (UnaryOperator<
                                ProbedCluster>)
                        cluster -> atOne(new ProbedReadCache(
                                        Mode.ON,
                                        new CacheSsd(true, 0, TERABYTE, 3 * TERABYTE),
                                        WELL.ssdBytes(),
                                        WELL.diskBytes(),
                                        new CacheDay(2 * DAY_MS, 796_000_000, 4_000_000, 3 * TERABYTE)))
                                .apply(CleanCluster.nodeLine(cluster, "hearth.datanode.cache.max.daily.writes", "3"))),
                fault(
                        "read-cache-hits",
                        Severity.WARNING,
                        "DataNode host4 (8999 read, 1001 written)",
                        with(new CacheDay(DAY_MS, 8_999, 1_001, 1 << 30))),
                fault("read-cache-mode", Severity.WARNING, "DataNode host4 (shadow)", with(Mode.SHADOW)),
                fault("read-cache-mode", Severity.WARNING, "DataNode host4 (off)", with(Mode.OFF)));
    }

    @Test
    void whereAllCachesAreWellItIsOnlySaidThatHBaseReadsPastThem() {
        assertThat(Doctor.findings(everywhere(WELL))).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(SHORT_CIRCUIT);
            assertThat(finding.severity()).isEqualTo(Severity.INFO);
            assertThat(finding.where())
                    .containsExactly("DataNode host1", "DataNode host2", "DataNode host3", "DataNode host4");
            assertThat(finding.what())
                    .isEqualTo("The read cache is on, and the RegionServer on its host reads local blocks"
                            + " short-circuit, past it.");
            assertThat(finding.cost())
                    .isEqualTo("HBase gains only remote reads from this cache; clients that read over the network gain"
                            + " fully.");
        });
    }

    /** A cache that is off, that only simulates, or that was just started. */
    @Test
    void aCacheThatIsNotOnOrHasJustStartedIsNoFault() {
        assertThat(Doctor.findings(everywhere(with(Mode.OFF)))).isEmpty();
        assertThat(Doctor.findings(everywhere(with(Mode.SHADOW)))).isEmpty();
        assertThat(Doctor.findings(everywhere(with(new CacheDay(DAY_MS / 2, 100, 1_000_000, TERABYTE)))))
                .as("it fills, for half a day")
                .extracting(Finding::check)
                .containsExactly(SHORT_CIRCUIT);
        assertThat(Doctor.findings(everywhere(with(new CacheDay(DAY_MS, 5, 9_000, TERABYTE / 100)))))
                .as("hardly anything is read at all")
                .extracting(Finding::check)
                .containsExactly(SHORT_CIRCUIT);
        assertThat(Doctor.findings(everywhere(with(new CacheDay(DAY_MS, 39_800_000, 200_000, 2 * TERABYTE)))))
                .as("the budget of a day and one that was saved up")
                .extracting(Finding::check)
                .containsExactly(SHORT_CIRCUIT);
    }

    @ParameterizedTest(name = "{0}, {2}")
    @MethodSource("faults")
    void whatIsPlantedIsFoundAndMendedAndNothingElse(
            String check, Severity severity, String where, UnaryOperator<ProbedCluster> plant) {
        ProbedCluster cluster = plant.apply(everywhere(WELL));

        List<Finding> findings = Doctor.findings(cluster);

        assertThat(findings).extracting(Finding::check).containsExactlyInAnyOrder(check, SHORT_CIRCUIT);
        assertThat(findings)
                .filteredOn(finding -> finding.check().equals(check))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(severity);
                    assertThat(finding.where()).containsExactly(where);
                    assertThat(finding.what()).endsWith(".").doesNotContain("  ");
                    assertThat(finding.cost()).endsWith(".").doesNotContain("  ");
                    assertThat(finding.source()).isNotBlank();
                    assertThat(finding.fixes()).as("a line or words").hasSize(1);
                    Changes.areOfTheirKeysTypes(finding);
                    Changes.mend(cluster, finding);
                });
    }

    @Test
    void allOfThemTogetherAreFoundToo() {
        ProbedCluster cluster = CleanCluster.withNodes(
                everywhere(WELL),
                ProbeResult.known(everywhere(WELL).dataNodes().ifKnown().orElseThrow().stream()
                        .map(node -> switch (node.host()) {
                            case "host1" ->
                                Nodes.readCache(
                                        node, ProbeResult.known(with(new CacheSsd(false, 2, TERABYTE, TERABYTE))));
                            case "host2" ->
                                Nodes.readCache(
                                        node, ProbeResult.known(with(new CacheSsd(false, 0, TERABYTE, TERABYTE))));
                            case "host3" -> Nodes.readCache(node, ProbeResult.known(with(Mode.SHADOW)));
                            default ->
                                Nodes.readCache(
                                        node,
                                        ProbeResult.known(new ProbedReadCache(
                                                Mode.ON,
                                                new CacheSsd(true, 0, TERABYTE, 9 * TERABYTE),
                                                1,
                                                1,
                                                new CacheDay(DAY_MS, 20_000, 9_000_000, 9 * TERABYTE))));
                        })
                        .toList()));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::where)
                .containsExactlyInAnyOrder(
                        tuple("read-cache-ssd", List.of("DataNode host1 (switched off: its SSD failed)")),
                        tuple("read-cache-folder", List.of("DataNode host2 (its folder is not open)")),
                        tuple("read-cache-mode", List.of("DataNode host3 (shadow)")),
                        tuple("read-cache-writes", List.of("DataNode host4 (9.0 TB of 1.0 TB)")),
                        tuple("read-cache-hits", List.of("DataNode host4 (20000 read, 9000000 written)")),
                        tuple(SHORT_CIRCUIT, List.of("DataNode host1", "DataNode host2", "DataNode host4")));
    }

    /** Either a line that can be pasted, or words; the line is read without a restart. */
    @Test
    void theBudgetOfWritesIsALineAndAllElseIsWords() {
        List<Finding> findings = faults().map(fault -> (UnaryOperator<ProbedCluster>) fault.get()[3])
                .flatMap(plant -> Doctor.findings(plant.apply(everywhere(WELL))).stream())
                .toList();

        assertThat(findings)
                .filteredOn(finding -> finding.check().equals("read-cache-writes"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.fixes())
                        .singleElement()
                        .isInstanceOfSatisfying(ConfigLine.class, line -> {
                            assertThat(line.xml())
                                    .isEqualTo("<property><name>hearth.datanode.cache.max.daily.writes</name>"
                                            + "<value>1.0</value></property>");
                            assertThat(line.effect().words())
                                    .isEqualTo("wait some seconds, in which they read it again");
                        }));
        assertThat(findings)
                .filteredOn(finding -> !finding.check().equals("read-cache-writes"))
                .allSatisfy(finding -> assertThat(finding.fixes()).hasOnlyElementsOfType(Advice.class));
    }

    /** Hosts whose RegionServer does not read short-circuit are not named, whatever else the doctor says of that. */
    @Test
    void aRegionServerThatReadsOverTheNetworkGainsFully() {
        ProbedCluster cluster = CleanCluster.serverLine(everywhere(WELL), "dfs.client.read.shortcircuit", "false");

        assertThat(Doctor.findings(cluster))
                .filteredOn(finding -> finding.check().equals(SHORT_CIRCUIT))
                .singleElement()
                .satisfies(finding -> assertThat(finding.where())
                        .containsExactly("DataNode host1", "DataNode host2", "DataNode host3"));
    }

    /** A jar that has no such bean yet, or a page that can't be read. */
    @Test
    void aCacheThatIsConfiguredAndCanNotBeReadIsSaid() {
        ProbedCluster cluster = CleanCluster.withNode(
                everywhere(with(Mode.SHADOW)), node -> Nodes.readCache(node, ProbeResult.unknown("its page is gone")));

        assertThat(Doctor.findings(cluster))
                .extracting(Finding::check, Finding::severity, Finding::where, Finding::what)
                .containsExactly(tuple("read-cache", Severity.UNKNOWN, List.of("DataNode host4"), "its page is gone"));
        assertThat(Doctor.findings(CleanCluster.nodeLine(cluster, MODE, " OFF ")))
                .isEmpty();
        assertThat(Doctor.findings(
                        CleanCluster.serverLines(CleanCluster.nodeLine(cluster, FACTORY, ""), DETECTION, "false")))
                .isEmpty();
    }

    /** The DataNode's jar is not on the master's class path. */
    @Test
    void theBeanIsReadByTheNamesThatTheDataNodeGives() {
        List<String> shown = Stream.of(
                        Arrays.stream(Counter.values()).map(Counter::metric),
                        Arrays.stream(Gauge.values()).map(Gauge::metric),
                        Stream.of(ReadCacheMetrics.SAVED_MS, ReadCacheMetrics.TRIPS))
                .flatMap(names -> names)
                .toList();

        assertThat(ReadCacheBean.NAME).isEqualTo("Hadoop:service=DataNode,name=" + ReadCacheMetrics.NAME);
        assertThat(shown).containsAll(ReadCacheBean.ATTRIBUTES);
        assertThat(Arrays.stream(Mode.values()).map(Mode::toString))
                .containsExactlyElementsOf(Arrays.stream(ReadCacheSettings.Mode.values())
                        .map(ReadCacheSettings.Mode::toString)
                        .toList());
        assertThat(Stream.of(MODE, "hearth.datanode.cache.max.daily.writes", "hearth.datanode.cache.admission.reads"))
                .isSubsetOf(ReadCacheSettings.ALL.stream()
                        .map(setting -> setting.key())
                        .toList());
    }
}
