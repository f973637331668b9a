// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is left undone: on a local cluster everything, and everything once another master leads. */
class IdleClusterAndStandbyMasterTest {

    private final FakeHdfs hdfs = new FakeHdfs();
    private final CountedMetrics metrics = new CountedMetrics();
    private final PollHints hints = new PollHints(() -> {});
    private final HealingConfig config = HealingSettings.read(
                    "test", new MapSettings(Map.of("hearth.heal.cluster.moves", "1")))
            .config();
    private final List<ServedRegion> served = new ArrayList<>();
    private boolean leads = true;
    private int calls;
    private long nowMs;
    private final HealingLoop loop = loop();

    @Test
    void onALocalClusterNothingOutsideOfTheMasterIsAskedAndNothingMoves() {
        for (int region = 0; region < 1_000; region++) {
            serve("r" + region, "s" + region % 10, 100);
        }
        for (int minute = 0; minute < 60; minute++) {
            hints.leave();
            run(60_000);
        }

        assertThat(calls).as("calls of ports other than the assignments").isZero();
        assertThat(metrics.get(HealingCounter.POLLS)).isGreaterThanOrEqualTo(360);
        assertThat(metrics.get(HealingCounter.REGIONS_LISTED)).isZero();
    }

    @Test
    void aMasterThatNoLongerLeadsStartsNoFurtherMove() {
        Stream.of("a1", "b1", "b2", "c1").forEach(name -> hdfs.nodes.add(node(name)));
        hdfs.addFile(
                new EncodedRegionName("r"),
                new StoreFile("/f", 3, false, true, List.of(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2"))));
        serve("r", "c1", 0);
        run(config.regionStableMs() + 100);
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
                new EncodedRegionName(region),
                new TableId("t"),
                HealRank.USER,
                TableHealingMode.ON,
                new ServerId(host, 16020, 1),
                Optional.of(new ReportedLocality(localBytes, 100))));
    }

    private HealingLoop loop() {
        Assignments assignments = new Assignments() {
            @Override
            public Observed<AssignmentSnapshot> snapshot() {
                return Observed.known(AssignmentSnapshot.of(served, List.of()));
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
        HealerServices services = new HealerServices(
                assignments,
                (region, atMs) -> {
                    calls++;
                    return hdfs.list(region, atMs);
                },
                path -> {
                    calls++;
                    return hdfs.locate(path);
                },
                hdfs.usage,
                () -> {
                    calls++;
                    return hdfs.list();
                },
                new RackRule(),
                mover,
                regions -> calls++,
                () -> {
                    calls++;
                    return hdfs.probe();
                },
                touched -> {
                    calls++;
                    return List.of();
                },
                HealLimits::unlimited,
                asked -> {
                    calls += asked.size();
                    return hdfs.takeAnswers(asked);
                },
                (region, family) -> {
                    calls++;
                    return Optional.empty();
                },
                8,
                Clock.systemUTC());
        return new HealingLoop(services, Runnable::run, hints, () -> config, metrics, HealerStates.alone());
    }
}
