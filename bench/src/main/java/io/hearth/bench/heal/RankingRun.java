// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import java.util.List;
import java.util.stream.LongStream;

/**
 * What orders are worth on one made-up cluster: the share of remote reads that are gone after 30 % of the bytes. Immutable.
 *
 * @param hearth in Hearth's order
 * @param unknownFifth in Hearth's order where a fifth of the regions' heat is unknown
 * @param locality by locality alone
 * @param best in the best order there is
 */
public record RankingRun(long seed, double hearth, double unknownFifth, double locality, double best) {

    /** The share of the bytes after which the orders are compared. */
    public static final double OF_BYTES = 0.3;

    /** The share of remote reads that must be gone by then, or as many as the best order makes. */
    public static final double THRESHOLD = 0.8;

    private static final double ROUNDING = 1e-9;

    /** The run on the cluster of this seed. */
    public static RankingRun of(RemoteBytesDistribution remote, long seed) {
        RankingModel model = new RankingModel(remote, seed);
        return new RankingRun(
                seed,
                model.readsGone(model.hearthsOrder(), OF_BYTES),
                model.readsGone(model.orderWithUnknownHeat(), OF_BYTES),
                model.readsGone(model.orderByLocality(), OF_BYTES),
                model.readsGone(model.bestOrder(), OF_BYTES));
    }

    /** The runs on as many clusters. */
    public static List<RankingRun> all(RemoteBytesDistribution remote, int seeds) {
        return LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> of(remote, seed))
                .toList();
    }

    /** Whether the bar holds, or no order could do better. */
    public boolean holds() {
        return hearth >= THRESHOLD || hearth >= best - ROUNDING;
    }
}
