// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BLOCK_BYTES;
import static io.hearth.doctor.model.HadoopKey.DERIVE_LOCALITY;
import static io.hearth.doctor.model.HadoopKey.PREFETCH_BYTES;
import static io.hearth.doctor.model.HadoopKey.REFRESH_MS;
import static io.hearth.doctor.model.HadoopKey.REGION_BYTES;
import static io.hearth.doctor.model.HadoopKey.RETRY_WINDOW_MS;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.model.Fix;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.Optional;

/** What an open reader of a RegionServer needs to follow a block that has moved. */
final class ReaderChecks {

    /** With up to 10 s readers met no stall while blocks moved, with 30 s they did. */
    private static final long MAX_REFRESH_MS = 10_000;

    /** With 50 ms a stream that lost every replica it knew was back before anybody noticed. */
    private static final long MAX_RETRY_WINDOW_MS = 100;

    private static final long PREFETCHED_BLOCKS = 10;
    private static final long PREFETCH = 13_421_772_800L;

    private ReaderChecks() {}

    static List<Check> all() {
        return List.of(refresh(), derive(), retryWindow(), prefetch());
    }

    private static Check refresh() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "read-block-locations",
                        Severity.ERROR,
                        "Healed blocks are read from afar until a store file is opened again, and a reader whose replica was moved away"
                                + " stalls for up to 3 s.",
                        "HDFS-16262; HubSpot's practice; stalls measured: none at 10 s or less, 11 in the same run at 30 s",
                        ConfigLine.of(REGIONSERVER, REFRESH_MS, MAX_REFRESH_MS)),
                settings -> {
                    long everyMs = settings.number(REFRESH_MS);
                    if (everyMs > 0 && everyMs <= MAX_REFRESH_MS) {
                        return Optional.empty();
                    }
                    return Optional.of(
                            everyMs <= 0
                                    ? "Open readers never ask where their blocks are now: " + REFRESH_MS.key()
                                            + " is 0."
                                    : "Open readers ask where their blocks are now only every " + everyMs + " ms.");
                });
    }

    private static Check derive() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "derived-locality",
                        Severity.ERROR,
                        "The locality that a region reports stays what it was when its files were opened: the balancer and every chart go by"
                                + " it, and the healer looks again at regions that are local.",
                        "HBASE-26304; default of HBase 2.6",
                        ConfigLine.of(REGIONSERVER, DERIVE_LOCALITY, true)),
                settings -> settings.is(DERIVE_LOCALITY)
                        ? Optional.empty()
                        : Optional.of("Reported locality does not follow blocks that move: " + DERIVE_LOCALITY.key()
                                + " is false."));
    }

    private static Check retryWindow() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "retry-window",
                        Severity.WARNING,
                        "A read waits that long, by chance between nothing and all of it, before the NameNode is asked again.",
                        "DFSInputStream.refetchLocations; HDFS-16155; HubSpot lowered it to 50 ms",
                        ConfigLine.of(REGIONSERVER, RETRY_WINDOW_MS, 50)),
                settings -> {
                    long windowMs = settings.number(RETRY_WINDOW_MS);
                    return windowMs <= MAX_RETRY_WINDOW_MS
                            ? Optional.empty()
                            : Optional.of("A reader that has lost every replica it knew waits up to " + windowMs
                                    + " ms: " + RETRY_WINDOW_MS.key() + ".");
                });
    }

    private static Check prefetch() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "prefetch",
                        Severity.WARNING,
                        "A refresh of block locations covers that much of a store file; what lies behind it stays as it was.",
                        "DFSInputStream; default of HDFS: ten blocks",
                        new Fix[0]),
                (cluster, daemon, settings) -> {
                    long bytes = settings.text(PREFETCH_BYTES).isEmpty()
                            ? PREFETCHED_BLOCKS * settings.number(BLOCK_BYTES)
                            : settings.number(PREFETCH_BYTES);
                    return bytes >= settings.number(REGION_BYTES)
                            ? Optional.empty()
                            : SettingCheck.Violation.of(
                                    "One refresh fetches the locations of " + HumanFormat.bytes(bytes)
                                            + ", and a store file may have "
                                            + HumanFormat.bytes(settings.number(REGION_BYTES))
                                            + ".",
                                    ConfigLine.of(
                                            REGIONSERVER,
                                            PREFETCH_BYTES,
                                            Math.max(PREFETCH, settings.number(REGION_BYTES) / 4 * 5)));
                });
    }
}
