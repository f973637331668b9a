// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.heat.ingest.ReportReadScheduler;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.placement.PlacementView;
import io.hearth.balancer.placement.RegionPlacer.ServerHeadroom;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Looks that read what is new, all at once or in two parts, give what looks give that read every report again, whatever the reports
 * do.
 */
class IncrementalReportsTest {

    private static final int REGIONS = 24;
    private static final TableId TABLE = new TableId("t");
    private static final List<EncodedRegionName> NAMES = IntStream.range(0, REGIONS)
            .mapToObj(region -> new EncodedRegionName(String.format("%032x", region)))
            .toList();
    private static final BalancerConfig ALL = config(Map.of());
    private static final BalancerConfig NO_SUSPECTS = config(Map.of("hearth.balancer.suspect.served.ratio", "0"));

    private final Random random = new Random();
    private final BalanceEngine plain = engine();
    private final BalanceEngine once = engine();
    private final ReportReadScheduler<ServerId> readScheduler = new ReportReadScheduler<>();
    private Optional<PlacementView> plainView = Optional.empty();
    private Optional<PlacementView> onceView = Optional.empty();

    /** By slot of the cluster; a restart gives the slot another life. */
    private final Map<Integer, ServerId> serverBySlot = new TreeMap<>();

    private final Map<Integer, ServerReport> reportBySlot = new TreeMap<>();
    private final long[] madeMsBySlot = new long[5];
    private final int[] slotByRegion = new int[REGIONS];
    private final long[] reads = new long[REGIONS];
    private long nowMs = 1_700_000_000_000L;
    private boolean isInTwoParts;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    private static BalancerConfig config(Map<String, String> settings) {
        return BalancerConfig.read("a test", new MapSettings(settings), key -> true);
    }

    private static BalanceEngine engine() {
        return new BalanceEngine(ALL, new DirectedPlanner()::plan);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsOtherwise(long seed) {
        run(seed);
    }

    /**
     * But for servers that look suspect beside peers whose reports were read before or after theirs. A look that finds a region that was
     * in no report is in one part: by the first part alone the region may be gone for as long as it is remembered.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsOtherwiseInTwoParts(long seed) {
        isInTwoParts = true;
        List.of(plain, once).forEach(engine -> engine.configure(NO_SUSPECTS, nowMs));
        run(seed);
    }

    private void run(long seed) {
        random.setSeed(seed);
        for (int slot = 0; slot < 5; slot++) {
            start(slot);
        }
        for (int region = 0; region < REGIONS; region++) {
            slotByRegion[region] = random.nextInt(5);
        }
        for (int step = 0; step < 150; step++) {
            boolean isJump = random.nextInt(20) == 0;
            // Reports are told apart by their time, and a server makes none twice in a millisecond.
            nowMs += isJump ? random.nextInt(1_300_000) - 90_000 : 1 + random.nextInt(20_000);
            change();
            for (int slot : serverBySlot.keySet()) {
                // A look may find the report of the look before, but none that is older than half a minute.
                boolean isOld = isJump || nowMs - madeMsBySlot[slot] > 30_000;
                if (isOld || !reportBySlot.containsKey(slot) || random.nextInt(4) > 0) {
                    reportBySlot.put(slot, report(slot));
                    madeMsBySlot[slot] = nowMs;
                }
            }
            look(isJump);
            compare("seed " + seed + " step " + step);
        }
    }

    private void start(int slot) {
        serverBySlot.put(slot, new ServerId("host" + slot, 1, nowMs));
        reportBySlot.remove(slot);
    }

    /** Servers come, go and restart; regions move, by plans, manually and for no reason that anybody was told. */
    private void change() {
        int slot = random.nextInt(5);
        switch (random.nextInt(12)) {
            case 0 -> start(slot);
            case 1 -> {
                if (serverBySlot.size() > 2) {
                    serverBySlot.remove(slot);
                    reportBySlot.remove(slot);
                }
            }
            case 2 -> serverBySlot.computeIfAbsent(slot, gone -> new ServerId("host" + gone, 1, nowMs));
            case 3, 4, 5, 6 -> move(random.nextInt(REGIONS), slot, random.nextInt(3));
            default -> {}
        }
        for (int region = 0; region < REGIONS; region++) {
            reads[region] += random.nextInt(10_000);
        }
    }

    private void move(int region, int to, int how) {
        ServerId source = serverBySlot.get(slotByRegion[region]);
        ServerId target = serverBySlot.get(to);
        if (source != null && target != null && !source.equals(target)) {
            for (BalanceEngine engine : List.of(plain, once)) {
                if (how == 0) {
                    engine.stockMoveApplied(id(region), TABLE, source, target, nowMs);
                } else if (how == 1) {
                    engine.tracker().regionMovedManually(id(region), TABLE, source, target, "somebody", false, nowMs);
                }
            }
        }
        // A planned move may not be made.
        if (how != 0 || random.nextBoolean()) {
            slotByRegion[region] = to;
            reads[region] = 0;
        }
    }

    private ServerReport report(int slot) {
        List<RegionReport> regions = new ArrayList<>();
        for (int region = 0; region < REGIONS; region++) {
            if (slotByRegion[region] == slot) {
                regions.add(new RegionReport(id(region), TABLE, reads[region], reads[region] / 3, 1 << 20));
            }
        }
        long recoveredForMs = random.nextInt(30) == 0 ? 100_000 : 0;
        return new ServerReport(serverBySlot.get(slot), nowMs - recoveredForMs, regions);
    }

    private static EncodedRegionName id(int region) {
        return NAMES.get(region);
    }

    /** What the last look had to read. */
    private ReportBatch newReports = new ReportBatch(List.of(), Map.of());

    private void look(boolean isJump) {
        List<ServerReport> all = new ArrayList<>(reportBySlot.values());
        Map<ServerId, Long> reportMsByServer = new LinkedHashMap<>();
        all.forEach(report -> reportMsByServer.put(report.server(), report.reportTimeMs()));
        Set<ServerId> unread = readScheduler.rest(reportMsByServer);
        newReports = new ReportBatch(
                all.stream().filter(report -> unread.contains(report.server())).toList(), reportMsByServer);
        plain.observe(all, nowMs);
        plainView = Optional.of(PlacementView.of(plainView, all, plain::load, server -> 1, nowMs));
        // After a pause every report is read in one look.
        int first = isJump || !isInTwoParts || isAnyBack()
                ? 0
                : random.nextInt(newReports.newReports().size() + 1);
        if (first > 0) {
            readOnce(newReports.newReports().subList(0, first));
        }
        readOnce(newReports.newReports().subList(first, newReports.newReports().size()));
    }

    private boolean isAnyBack() {
        return newReports.newReports().stream()
                .flatMap(report -> report.regions().stream())
                .anyMatch(region -> onceView.map(
                                view -> view.serverOf(region.region()).isEmpty())
                        .orElse(true));
    }

    private void readOnce(List<ServerReport> reports) {
        ReportBatch batch = new ReportBatch(reports, newReports.reportMsByServer());
        once.observe(batch, nowMs, nowMs);
        onceView = Optional.of(PlacementView.of(onceView, batch, once::load, server -> 1, nowMs));
    }

    private void compare(String where) {
        Map<EncodedRegionName, Set<ServerId>> reportingByRegion = reportingByRegion();
        for (int region = 0; region < REGIONS; region++) {
            EncodedRegionName id = id(region);
            same(where, once.heat().heat(id), plain.heat().heat(id));
            same(where, once.heat().isServed(id), plain.heat().isServed(id));
            Set<ServerId> reporting = reportingByRegion.getOrDefault(id, Set.of());
            if (reporting.size() < 2) {
                Optional<ServerId> server = onceView.orElseThrow().serverOf(id);
                same(where, server, plainView.orElseThrow().serverOf(id));
                same(where, server, reporting.stream().findFirst());
            }
        }
        newReports.newReports().forEach(report -> report.regions().forEach(region -> {
            if (reportingByRegion.getOrDefault(region.region(), Set.of()).size() < 2) {
                same(
                        where,
                        onceView.orElseThrow().load(region.region()),
                        plainView.orElseThrow().load(region.region()));
            }
        }));
        assertThat(once.heat().suspects()).as(where).isEqualTo(plain.heat().suspects());
        assertThat(once.tracker().pins(nowMs))
                .as(where)
                .isEqualTo(plain.tracker().pins(nowMs));
        assertThat(once.tracker().followed(nowMs))
                .as(where)
                .isEqualTo(plain.tracker().followed(nowMs));
        assertThat(regionCounts(onceView.orElseThrow())).as(where).isEqualTo(regionCounts(plainView.orElseThrow()));
    }

    /** Asked so often that no assertion is made where it holds. */
    private static void same(String where, Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) {
            assertThat(actual).as(where).isEqualTo(expected);
        }
    }

    private Map<EncodedRegionName, Set<ServerId>> reportingByRegion() {
        Map<EncodedRegionName, Set<ServerId>> reporting = new HashMap<>();
        reportBySlot.values().forEach(report -> report.regions().forEach(region -> reporting
                .computeIfAbsent(region.region(), first -> new TreeSet<>())
                .add(report.server())));
        return reporting;
    }

    private List<Integer> regionCounts(PlacementView view) {
        return view.headrooms(serverBySlot.values(), Map.of(), Set.of()).stream()
                .map(ServerHeadroom::regions)
                .toList();
    }
}
