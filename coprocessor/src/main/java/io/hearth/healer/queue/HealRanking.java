// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.queue.HealRanking.HealPriority.HeatClass;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Says what to heal first. Pure but for the heat that it is given; asks no NameNode.
 *
 * <p><b>Goal.</b> At any time, as many remote reads as possible are gone for the bytes moved so far.
 *
 * <p><b>Constraints.</b> {@code hbase:meta}, other system tables and tables with {@code HEARTH_HEAL} = first come before
 * all others, in this order.
 *
 * <p><b>Algorithm.</b> A region's benefit for each byte moved is its reads per second x its share of non-local bytes / its
 * non-local bytes: of reads that fall evenly on its bytes, what ends when one more byte is local. Largest benefit first is
 * the best order there is for that (the fractional knapsack). A region whose heat or locality nobody knows is taken for a
 * mean one: it comes after the known ones that are above the mean and before those below it, among its like by the share of
 * bytes that are not local. A region that is reported local has nothing to gain and comes last.
 *
 * <p><b>Example.</b> 100 reads/s on 10 GB, 3 of them remote, are 30 remote reads/s for 3 GB: 10 a GB. 50 reads/s on 2 GB, all
 * remote, are 50 for 2 GB: 25 a GB, so that this region comes first although it is read less.
 */
final class HealRanking {

    private final Function<EncodedRegionName, RegionHeat> heat;
    private final double meanBenefit;

    private HealRanking(Function<EncodedRegionName, RegionHeat> heat, double meanBenefit) {
        this.heat = heat;
        this.meanBenefit = meanBenefit;
    }

    /** The ranking of these regions, by the heat as it is now. */
    static HealRanking of(Collection<ServedRegion> waiting, Function<EncodedRegionName, RegionHeat> heat) {
        double remoteReads = 0;
        double bytes = 0;
        for (ServedRegion region : waiting) {
            OptionalDouble benefit = benefit(region, heat);
            if (benefit.isPresent()) {
                double nonLocal = (double) nonLocalBytes(region);
                remoteReads += benefit.getAsDouble() * nonLocal;
                bytes += nonLocal;
            }
        }
        return new HealRanking(heat, bytes == 0 ? 0 : remoteReads / bytes);
    }

    /** A ranking before anything waits. */
    static HealRanking none() {
        return of(List.of(), region -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED));
    }

    HealPriority priority(ServedRegion region) {
        OptionalDouble benefit = benefit(region, heat);
        double value = benefit.orElse(nonLocalShare(region));
        return new HealPriority(region.rank(), heatClass(benefit), value, nonLocalBytes(region), region.region());
    }

    private HeatClass heatClass(OptionalDouble benefit) {
        if (benefit.isEmpty()) {
            return HeatClass.UNKNOWN;
        }
        return benefit.getAsDouble() > 0 && benefit.getAsDouble() >= meanBenefit ? HeatClass.HOT : HeatClass.COLD;
    }

    /** Remote reads per second that end for each byte moved; empty where nobody knows. */
    private static OptionalDouble benefit(ServedRegion region, Function<EncodedRegionName, RegionHeat> heat) {
        if (region.reported().isEmpty()) {
            return OptionalDouble.empty();
        }
        long nonLocalBytes = nonLocalBytes(region);
        if (nonLocalBytes == 0) {
            return OptionalDouble.of(0);
        }
        return heat.apply(region.region()) instanceof RegionHeat.Known known
                ? OptionalDouble.of(known.load().get(LoadDimension.READS) * nonLocalShare(region) / nonLocalBytes)
                : OptionalDouble.empty();
    }

    private static double nonLocalShare(ServedRegion region) {
        return 1 - region.reported().map(ReportedLocality::ratio).orElse(1.0);
    }

    private static long nonLocalBytes(ServedRegion region) {
        return region.reported().map(ReportedLocality::nonLocalBytes).orElse(0L);
    }

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

        /** Without a chain of comparators: a heap of 100,000 asks two million times. */
        @Override
        public int compareTo(HealPriority other) {
            int order = rank.compareTo(other.rank);
            order = order != 0 ? order : heatClass.compareTo(other.heatClass);
            order = order != 0 ? order : Double.compare(other.value, value);
            order = order != 0 ? order : Long.compare(other.nonLocalBytes, nonLocalBytes);
            return order != 0 ? order : region.compareTo(other.region);
        }
    }
}
