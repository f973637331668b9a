// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.common.config.HumanFormat;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.estimate.HealEstimate.DataNodeTime;
import io.hearth.healer.metrics.HealLimit;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a heal will take, as lines for a person. Stateless. */
public final class HealEstimateText {

    /** The DataNodes that are named; the others have less to do. */
    static final int BUSIEST = 5;

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss z", Locale.ROOT);
    private static final double MS_PER_SECOND = 1e3;

    private HealEstimateText() {}

    /**
     * The estimate, line by line; no line where there is nothing to move.
     *
     * @param limits those that it was made with
     * @param start when the heal would begin, in the zone of the reader
     */
    public static List<String> lines(HealEstimate estimate, HealLimitConfig limits, ZonedDateTime start) {
        if (estimate.moves() == 0) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add("Started now it takes " + time(estimate.seconds()) + ", until "
                + CLOCK.format(start.plusNanos((long) (estimate.seconds() * 1e9))) + ", held back by "
                + estimate.limit().label() + ".");
        lines.add("NameNode: " + estimate.nameNodeCalls() + " calls, "
                + String.format(Locale.ROOT, "%.1f", estimate.nameNodeMs() / MS_PER_SECOND) + " s of a handler.");
        lines.addAll(busiest(estimate).lines("  "));
        dataNodeAdvice(estimate.limit(), limits).ifPresent(lines::add);
        return lines;
    }

    private static Table busiest(HealEstimate estimate) {
        return Table.of(
                estimate.dataNodes().stream().limit(BUSIEST).toList(),
                List.of(
                        Table.<DataNodeTime>left(
                                "busiest DataNodes", one -> one.node().host()),
                        Table.right("in", one -> HumanFormat.bytes(one.bytesIn())),
                        Table.right("out", one -> HumanFormat.bytes(one.bytesOut())),
                        Table.right("limit of both", one -> HumanFormat.bytes(one.bytesPerSecond()) + "/s"),
                        Table.right("time", one -> time(one.seconds()))));
    }

    /** What may be done where the bandwidth of DataNodes holds a heal back; empty where something else does. */
    public static Optional<String> dataNodeAdvice(HealLimit limit, HealLimitConfig limits) {
        if (limit != HealLimit.DATANODE_BANDWIDTH) {
            return Optional.empty();
        }
        return Optional.of(
                limits.dataNodeBytesPerSecond() > 0
                        ? "hearth.heal.datanode.bandwidth = " + HumanFormat.bytes(limits.dataNodeBytesPerSecond())
                                + "/s is the limit, or what the DataNodes allow where that is less."
                        : "What the DataNodes allow is the limit; --raise-datanode-bandwidth SIZE raises it until the heal"
                                + " is over.");
    }

    private static String time(double seconds) {
        return HumanFormat.time((long) Math.ceil(seconds));
    }
}
