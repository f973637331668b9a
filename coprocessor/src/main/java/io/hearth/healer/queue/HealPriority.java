// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.HealRank;

/**
 * The place of a region among those that wait: the smaller, the earlier. Immutable; no two regions have the same.
 *
 * @param value of regions that are known, remote reads per second that end for each byte moved; of others, the share of
 *     their bytes that is not local
 */
record HealPriority(HealRank rank, HeatClass heatClass, double value, long nonLocalBytes, EncodedRegionName region)
        implements Comparable<HealPriority> {

    /** What a byte of a region is worth, beside those of the others that wait. */
    enum HeatClass {
        /** Known, and no less than the mean. */
        HOT,
        /** Not known: taken for the mean. */
        UNKNOWN,
        /** Known, and less than the mean. */
        COLD
    }

    /** The same before all but system tables, for what a person has asked for. */
    HealPriority first() {
        HealRank before = rank.compareTo(HealRank.FIRST) < 0 ? rank : HealRank.FIRST;
        return new HealPriority(before, HeatClass.HOT, Double.MAX_VALUE, nonLocalBytes, region);
    }

    /** By hand: a heap of 100,000 asks two million times, so that it is not a chain of comparators. */
    @Override
    public int compareTo(HealPriority other) {
        int order = rank.compareTo(other.rank);
        order = order != 0 ? order : heatClass.compareTo(other.heatClass);
        order = order != 0 ? order : Double.compare(other.value, value);
        order = order != 0 ? order : Long.compare(other.nonLocalBytes, nonLocalBytes);
        return order != 0 ? order : region.compareTo(other.region);
    }
}
