package io.hearth.operate.view;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Made-up clusters to be shown. */
final class Clusters {

    private static final long AT_MS = 1_700_000_000_000L;
    private static final long MEGABYTE = 1 << 20;

    private Clusters() {}

    static ClusterWord hot() {
        return new ClusterWord(
                AT_MS,
                "m1:16000",
                30,
                1,
                300_000,
                1,
                List.of(
                        evenness("reads", false, 3_000, 2.99, "host1:16020", 1, "UNEVEN"),
                        evenness("writes", false, 12.4, 1.01, "host1:16020", 1, "EVEN"),
                        new ClusterWord.Evenness(
                                "store size",
                                true,
                                3.0 * 1024 * MEGABYTE,
                                3.0 * 1024 * MEGABYTE,
                                1.8,
                                Optional.of("host2:16020"),
                                1.8,
                                1,
                                1.3,
                                "AS_EVEN_AS_CAN_BE")),
                new ClusterWord.BalancerState(true, true, true, Optional.empty()),
                new ClusterWord.HealingState(
                        true,
                        "on",
                        Optional.empty(),
                        3,
                        5,
                        50 * MEGABYTE,
                        OptionalDouble.of(12 * MEGABYTE),
                        OptionalLong.of(8_500),
                        0),
                List.of(
                        new ClusterWord.Server(
                                "host1:16020", 10, 2_990, 2.99, 4, 1, 3_100, 100 * MEGABYTE, 100 * MEGABYTE),
                        new ClusterWord.Server(
                                "host2:16020", 10, 9.94, 0.01, 4.2, 1.05, 14, 100 * MEGABYTE, 200 * MEGABYTE),
                        new ClusterWord.Server("host3:16020", 10, 0, 0, 4.2, 1.05, 0, 100 * MEGABYTE, 100 * MEGABYTE)),
                List.of(new ClusterWord.HotRegion(
                        "1588230740aabbccddeeff0011223344",
                        "orders",
                        "host1:16020",
                        1.5,
                        1_500,
                        0,
                        MEGABYTE,
                        MEGABYTE,
                        "it was moved here by hand (ann)")),
                Optional.of(new ClusterWord.LastPlan(
                        AT_MS - 200_000, "7 moves; max/mean of reads 2.99 -> 1.02", Optional.empty())),
                List.of(pin()));
    }

    static ClusterWord.Pin pin() {
        return new ClusterWord.Pin(
                "1588230740aabbccddeeff0011223344",
                "orders",
                "host1,16020,7",
                "MOVED_BY_HAND",
                "ann",
                "it was moved here by hand",
                AT_MS,
                AT_MS + 86_400_000);
    }

    static ClusterWord stock() {
        return stock(List.of());
    }

    /** Six regions on four servers, as even as they can be. */
    static ClusterWord crowded() {
        return stock(List.of(new ClusterWord.Evenness(
                "reads", false, 600, 590, 1.33, Optional.of("host1:16020"), 1.33, 2, 1.1, "AS_EVEN_AS_CAN_BE")));
    }

    /** The same with a weight of reads of 0. */
    static ClusterWord notWeighed() {
        return stock(List.of(new ClusterWord.Evenness(
                "reads", false, 600, 590, 1.33, Optional.of("host1:16020"), 1.33, 2, 1.1, "NOT_WEIGHED")));
    }

    private static ClusterWord stock(List<ClusterWord.Evenness> evenness) {
        return new ClusterWord(
                AT_MS,
                "m1:16000",
                0,
                0,
                0,
                0,
                evenness,
                new ClusterWord.BalancerState(false, true, false, Optional.empty()),
                new ClusterWord.HealingState(
                        false,
                        "not installed",
                        Optional.empty(),
                        0,
                        0,
                        0,
                        OptionalDouble.empty(),
                        OptionalLong.empty(),
                        0),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of());
    }

    private static ClusterWord.Evenness evenness(
            String label, boolean isBytes, double total, double maxOverMean, String on, double bound, String verdict) {
        return new ClusterWord.Evenness(
                label, isBytes, total, total / 2, maxOverMean, Optional.of(on), bound, 0, 1.1, verdict);
    }
}
