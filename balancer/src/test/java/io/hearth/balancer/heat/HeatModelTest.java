package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeatModelTest {

    private static final TableId TABLE = new TableId("t");
    private static final RegionId REGION = new RegionId("r1");
    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);

    private final HeatModel heat = new HeatModel(60_000, 10_000);

    private void report(ServerId server, long ms, long reads) {
        heat.update(List.of(
                new ServerReport(server, ms, List.of(new RegionReport(REGION, TABLE, reads, reads * 2, 4096)))));
    }

    @Test
    void isUnknownUntilEnoughWasSeen() {
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
        report(A, 1_000, 0);
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.SEEN_TOO_BRIEFLY));
        report(A, 10_000, 90);
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.SEEN_TOO_BRIEFLY));

        report(A, 11_000, 100);

        assertThat(heat.heat(REGION)).isInstanceOfSatisfying(Known.class, known -> {
            assertThat(known.load().get(LoadDimension.READS)).isCloseTo(10, within(1e-9));
            assertThat(known.load().get(LoadDimension.WRITES)).isCloseTo(20, within(1e-9));
            assertThat(known.load().get(LoadDimension.STORE_SIZE)).isEqualTo(4096);
        });
    }

    @Test
    void outlivesAMove() {
        report(A, 0, 0);
        report(A, 60_000, 600);
        report(B, 61_000, 5);

        assertThat(readsPerSecond()).isCloseTo(10, within(1e-9));
    }

    @Test
    void forgetsWhatNobodyReports() {
        report(A, 0, 0);
        heat.update(List.of(new ServerReport(B, HeatModel.FORGET_AFTER_MS + 1, List.of())));

        assertThat(heat.size()).isZero();
        assertThat(heat.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
    }

    /** The faults that make the stock samples worthless, in random order: a minute later heat is within 5 % of the truth. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void staysTrueUnderMovesDuplicatesGapsAndResets(long seed) {
        FaultyReporter reporter = new FaultyReporter(seed);
        for (int step = 0; step < 400; step++) {
            heat.update(reporter.nextReports());
        }
        for (int step = 0; step < 20; step++) {
            heat.update(reporter.nextCleanReport());
        }

        assertThat(readsPerSecond())
                .as("seed %d", seed)
                .isCloseTo((double) reporter.readsPerSecond, within(0.05 * reporter.readsPerSecond));
    }

    private double readsPerSecond() {
        return heat.heat(REGION) instanceof Known known ? known.load().get(LoadDimension.READS) : Double.NaN;
    }

    /** Two servers, one region with a constant rate, and a master that hands on the last report of each server. */
    private static final class FaultyReporter {

        private static final long[] INTERVALS_MS = {300, 1_000, 3_000, 60_000};

        final long readsPerSecond;
        private final Random random;
        private final Map<ServerId, ServerReport> lastByServer = new HashMap<>();
        private final List<ServerReport> sent = new ArrayList<>();
        private ServerId server = A;
        private long openedMs = -3_600_000;
        private long nowMs;

        FaultyReporter(long seed) {
            random = new Random(seed);
            readsPerSecond = 50L + random.nextInt(500);
            lastByServer.put(A, new ServerReport(A, -1, List.of()));
            lastByServer.put(B, new ServerReport(B, -1, List.of()));
        }

        Collection<ServerReport> nextReports() {
            long previousMs = nowMs;
            nowMs += INTERVALS_MS[random.nextInt(INTERVALS_MS.length)];
            switch (random.nextInt(20)) {
                case 0 -> {
                    // Moved since the last report; the server it left still has it in its next one.
                    lastByServer.put(server, report());
                    server = server.equals(A) ? B : A;
                    openedMs = previousMs;
                }
                case 1 -> openedMs = previousMs; // reopened: the counters begin at 0 again
                case 2 -> {
                    return List.of(sent.isEmpty() ? report() : sent.get(random.nextInt(sent.size())), other());
                }
                case 3 -> {
                    return List.of(new ServerReport(server, nowMs, List.of()), other());
                }
                default -> {
                    ServerId left = server.equals(A) ? B : A;
                    lastByServer.put(left, new ServerReport(left, nowMs, List.of()));
                }
            }
            ServerReport report = report();
            sent.add(report);
            lastByServer.put(server, report);
            return lastByServer.values();
        }

        Collection<ServerReport> nextCleanReport() {
            nowMs += 3_000;
            return List.of(report(), other());
        }

        private ServerReport report() {
            long reads = (nowMs - openedMs) * readsPerSecond / 1000;
            return new ServerReport(server, nowMs, List.of(new RegionReport(REGION, TABLE, reads, reads, 0)));
        }

        private ServerReport other() {
            return lastByServer.get(server.equals(A) ? B : A);
        }
    }
}
