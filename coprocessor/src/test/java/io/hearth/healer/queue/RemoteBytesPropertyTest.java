// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import io.hearth.healer.queue.HealQueue.QueueConfig;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the queue says is left of each host's regions beside the plain form: each block that is neither reported local nor confirmed. */
class RemoteBytesPropertyTest {

    private static final long SECOND_MS = 1_000;
    private static final int STEPS = 400;
    private static final long LOCAL_BYTES = 1_000;
    private static final QueueConfig CONFIG =
            new QueueConfig(1.0, 30 * SECOND_MS, new ExponentialBackoff(10 * SECOND_MS, 160 * SECOND_MS));

    private final HealQueue queue = new HealQueue();
    private final Map<String, PlainRegion> regions = new TreeMap<>();
    private long nowMs;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    /** Blocks are copied in their order, and so they are reported and confirmed; the one runs ahead of the other now and then. */
    private static final class PlainRegion {

        final EncodedRegionName name;
        final List<Long> blocks = new ArrayList<>();
        ServerId server;
        int reported;
        int confirmed;
        /** Whether the NameNode was asked since the region came, or was doubted to be local. */
        boolean isListed;

        boolean isInHand;
        /** Whether the last attempt left nothing. */
        boolean isCompleted;
        /** Whether the last attempt won nothing. */
        boolean isUnfinished;

        PlainRegion(String name, Random random) {
            this.name = new EncodedRegionName(name);
            this.server = anyServer(random);
            arriveAt(server, random);
        }

        static ServerId anyServer(Random random) {
            return new ServerId("s" + random.nextInt(3), 16020, 1);
        }

        final void arriveAt(ServerId next, Random random) {
            server = next;
            blocks.clear();
            IntStream.rangeClosed(0, random.nextInt(6)).forEach(block -> addBlock(random));
            reported = 0;
            confirmed = 0;
            isListed = false;
            isInHand = false;
            isCompleted = false;
            isUnfinished = false;
        }

        void addBlock(Random random) {
            blocks.add(1L + random.nextInt(100));
        }

        long bytesFrom(int first) {
            return blocks.subList(first, blocks.size()).stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }

        long leftBytes() {
            boolean isOpen = isInHand || (!isCompleted && !isUnfinished);
            return isOpen ? bytesFrom(isListed ? Math.max(reported, confirmed) : reported) : 0;
        }

        ServedRegion served() {
            long total = LOCAL_BYTES + bytesFrom(0);
            return new ServedRegion(
                    name,
                    new TableId("t"),
                    HealRank.USER,
                    TableHealingMode.ON,
                    server,
                    Optional.of(new ReportedLocality(total - bytesFrom(reported), total)));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsLeftIsWhatIsNeitherReportedNorConfirmed(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            String where = "seed " + seed + ", step " + step;
            String name = "r" + random.nextInt(5);
            PlainRegion region = regions.computeIfAbsent(name, added -> new PlainRegion(added, random));
            where += ": " + change(region, random);
            assertThat(queue.remoteBytesByHost()).as(where).isEqualTo(plainly());
            takeSome(random);
            assertThat(queue.remoteBytesByHost()).as(where + ", and take").isEqualTo(plainly());
        }
    }

    private Map<String, Long> plainly() {
        Map<String, Long> bytesByHost = new TreeMap<>();
        regions.values().stream()
                .filter(region -> region.leftBytes() > 0)
                .forEach(region -> bytesByHost.merge(region.server.host(), region.leftBytes(), Long::sum));
        return bytesByHost;
    }

    /** Returns what was changed. */
    private String change(PlainRegion region, Random random) {
        ServedRegion before = region.served();
        // One that was just added is not known to the queue before the first poll.
        poll();
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> {
                // The last one is never reported: what is reported as local alone is not looked at.
                region.reported += random.nextInt(region.blocks.size() - region.reported);
                poll();
                yield "report";
            }
            case 3, 4, 5 -> {
                confirm(region);
                yield "confirm";
            }
            case 6 -> {
                region.addBlock(random);
                poll();
                yield "new file";
            }
            case 7 -> {
                end(region, random);
                yield "end";
            }
            case 8 -> {
                recheck(region);
                yield "recheck";
            }
            case 9 -> {
                if (!region.isInHand) {
                    region.isCompleted = false;
                    region.isUnfinished = false;
                    queue.healNow(Set.of(region.name), CONFIG, nowMs);
                }
                yield "request";
            }
            case 10 -> {
                ServerId next = PlainRegion.anyServer(random);
                if (!next.equals(region.server)) {
                    region.arriveAt(next, random);
                    poll();
                    queue.healed(before, 10);
                    queue.healed(region.served(), 10);
                }
                yield "move";
            }
            default -> {
                regions.remove(region.name.encodedName());
                poll();
                queue.healed(before, 10);
                yield "gone";
            }
        };
    }

    private void poll() {
        nowMs += SECOND_MS;
        queue.observe(
                AssignmentSnapshot.of(
                        regions.values().stream().map(PlainRegion::served).toList(), List.of()),
                CONFIG,
                region -> new Unknown(Reason.NEVER_REPORTED),
                nowMs);
    }

    private void confirm(PlainRegion region) {
        if (region.isListed && region.confirmed < region.blocks.size()) {
            queue.healed(region.served(), region.blocks.get(region.confirmed));
            region.confirmed++;
        }
    }

    private void end(PlainRegion region, Random random) {
        if (region.isInHand) {
            int how = random.nextInt(4);
            region.isInHand = false;
            if (how == 0) {
                queue.defer(region.served(), nowMs + 5 * SECOND_MS);
            } else {
                region.isCompleted = how == 1;
                region.isUnfinished = how == 2;
                AttemptResult result =
                        switch (how) {
                            case 1 -> AttemptResult.COMPLETED;
                            case 2 -> AttemptResult.UNFINISHED;
                            default -> AttemptResult.PROGRESSED;
                        };
                queue.ended(region.served(), result, CONFIG, nowMs);
            }
        }
    }

    private void recheck(PlainRegion region) {
        int asked = queue.recheck(Map.of(region.name, region.server.host()), CONFIG, nowMs);
        if (asked > 0) {
            region.isCompleted = false;
            region.isUnfinished = false;
            region.isListed = false;
        }
    }

    /** Of what is listed now some was undone that was confirmed. */
    private void takeSome(Random random) {
        nowMs += random.nextInt(20) * SECOND_MS;
        Optional<ServedRegion> taken = random.nextBoolean() ? queue.take(nowMs, server -> true) : Optional.empty();
        taken.ifPresent(served -> {
            PlainRegion region = regions.get(served.region().encodedName());
            region.isInHand = true;
            region.isListed = true;
            if (region.confirmed > region.reported) {
                region.confirmed -= random.nextInt(region.confirmed - region.reported + 1);
            }
            queue.listed(served, region.bytesFrom(region.confirmed));
        });
    }
}
