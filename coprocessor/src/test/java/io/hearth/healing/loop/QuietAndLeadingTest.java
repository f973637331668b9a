package io.hearth.healing.loop;

import static io.hearth.healing.fakes.Racks.block;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.config.HealingSettings;
import io.hearth.healing.execute.BlockMover;
import io.hearth.healing.execute.MoveResult;
import io.hearth.healing.fakes.CountedMetrics;
import io.hearth.healing.fakes.FakeHdfs;
import io.hearth.healing.fakes.Memories;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.plan.RackRule;
import io.hearth.healing.trigger.HintBox;
import io.hearth.healing.trigger.HintKind;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is left undone: on a cluster at home everything, and everything once another master leads. */
class QuietAndLeadingTest {

    private final FakeHdfs hdfs = new FakeHdfs();
    private final CountedMetrics metrics = new CountedMetrics();
    private final HintBox hints = new HintBox(() -> {});
    private final HealingConfig config = HealingSettings.read(
                    "test", new MapSettings(Map.of("hearth.heal.concurrent.moves", "1")))
            .config();
    private final List<ServedRegion> served = new ArrayList<>();
    private boolean leads = true;
    private int calls;
    private long nowMs;
    private final HealingLoop loop = loop();

    @Test
    void onAClusterAtHomeNothingOutsideOfTheMasterIsAskedAndNothingMoves() {
        for (int region = 0; region < 1_000; region++) {
            serve("r" + region, "s" + region % 10, 100);
        }
        for (int minute = 0; minute < 60; minute++) {
            hints.leave(HintKind.BALANCED);
            run(60_000);
        }

        assertThat(calls).as("calls of ports other than the assignments").isZero();
        assertThat(metrics.get(HealingCounter.LOOKS)).isGreaterThanOrEqualTo(360);
        assertThat(metrics.get(HealingCounter.REGIONS_LISTED)).isZero();
    }

    @Test
    void aMasterThatNoLongerLeadsStartsNoFurtherMove() {
        Stream.of("a1", "b1", "b2", "c1").forEach(name -> hdfs.nodes.add(node(name)));
        hdfs.addFile(
                new RegionId("r"),
                new StoreFile("/f", 3, false, true, List.of(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2"))));
        serve("r", "c1", 0);
        run(config.settleMs() + 100);
        assertThat(hdfs.moved).as("one at a time").hasSize(1);

        leads = false;
        hdfs.deleteExcess();
        run(600_000);
        assertThat(hdfs.moved).hasSize(1);
    }

    private void run(long ms) {
        for (long untilMs = nowMs + ms; nowMs < untilMs; nowMs += 100) {
            loop.doWork(nowMs);
        }
    }

    private void serve(String region, String host, long localBytes) {
        served.add(new ServedRegion(
                new RegionId(region),
                new TableId("t"),
                HealRank.USER,
                HealMode.ON,
                new ServerId(host, 16020, 1),
                Optional.of(new ReportedLocality(localBytes, 100))));
    }

    private HealingLoop loop() {
        Assignments assignments = new Assignments() {
            @Override
            public Observed<ClusterLook> look() {
                return Observed.known(ClusterLook.of(served, List.of()));
            }

            @Override
            public boolean mayAct() {
                return leads;
            }
        };
        BlockMover mover = new BlockMover() {
            @Override
            public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
                calls++;
                return hdfs.move(move, proxy, listenMs);
            }

            @Override
            public Optional<String> missingPrivilege() {
                calls++;
                return Optional.empty();
            }
        };
        HealingPorts ports = new HealingPorts(
                assignments,
                (region, atMs) -> {
                    calls++;
                    return hdfs.list(region, atMs);
                },
                path -> {
                    calls++;
                    return hdfs.locate(path);
                },
                () -> {
                    calls++;
                    return hdfs.list();
                },
                new RackRule(),
                mover,
                regions -> calls++,
                () -> {
                    calls++;
                    return hdfs.feel();
                },
                () -> {
                    calls++;
                    return List.of();
                },
                (region, family) -> {
                    calls++;
                    return Optional.empty();
                },
                Clock.systemUTC());
        return new HealingLoop(ports, Runnable::run, hints, () -> config, metrics, Memories.alone());
    }
}
