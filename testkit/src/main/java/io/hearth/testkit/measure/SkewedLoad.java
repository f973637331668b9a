// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;

/**
 * Which share of all reads and of all writes each region gets: the skew that the demo starts from.
 *
 * <p>Goals: {@link #HOT_MAX_OVER_MEAN} fair shares of reads fall on the regions of one server, as many of writes on those of another, so
 * that both are uneven and no single region is the cause. Constraints: the shares sum to 1; no region
 * of a hot server has more than {@link #REGION_CAP} of either, so that moving regions can even the load out; there are four hosts or more.
 * Algorithm: every region draws a weight, since no two are alike in life; the hot server's
 * regions are scaled to the hot share, and what stands above the cap is handed on to the ones below it;
 * all other regions are scaled to the rest.
 *
 * @param readHost the host that gets most reads
 * @param writeHost the host that gets most writes, another one
 * @param readShares by region index, sums to 1; immutable
 * @param writeShares by region index, sums to 1; immutable
 */
public record SkewedLoad(String readHost, String writeHost, List<Double> readShares, List<Double> writeShares) {

    /** No region of a hot server gets more than this share of all reads or of all writes. */
    public static final double REGION_CAP = 0.07;

    /** The hot server's load over the average at the start, as far as the cap allows; 3.0 of six servers is half of it. */
    public static final double HOT_MAX_OVER_MEAN = 3.0;

    private static final double HOT_DRAWN_FROM = 0.3;
    private static final double HOT_DRAWN_TO = 1.0;
    private static final double COLD_DRAWN_FROM = 0.5;
    private static final double COLD_DRAWN_TO = 1.5;

    public SkewedLoad {
        readShares = List.copyOf(readShares);
        writeShares = List.copyOf(writeShares);
    }

    /** The shares of regions 0..n-1 as they are assigned now; the two hosts with most regions become hot. */
    public static SkewedLoad of(SortedMap<String, List<Integer>> regionsByHost, long seed) {
        if (regionsByHost.size() < 2) {
            throw new IllegalArgumentException(
                    "A skewed load needs regions on 2 hosts or more, not on " + regionsByHost.size() + ".");
        }
        List<String> hosts = new ArrayList<>(regionsByHost.keySet());
        hosts.sort((a, b) ->
                regions(regionsByHost, b).size() - regions(regionsByHost, a).size());
        int count = regionsByHost.values().stream().mapToInt(List::size).sum();
        double hotShare = HOT_MAX_OVER_MEAN / regionsByHost.size();
        SplittableRandom random = new SplittableRandom(seed);
        return new SkewedLoad(
                hosts.get(0),
                hosts.get(1),
                shares(regions(regionsByHost, hosts.get(0)), count, hotShare, random),
                shares(regions(regionsByHost, hosts.get(1)), count, hotShare, random));
    }

    private static List<Integer> regions(SortedMap<String, List<Integer>> regionsByHost, String host) {
        return regionsByHost.getOrDefault(host, List.of());
    }

    private static List<Double> shares(List<Integer> hot, int count, double wantedShare, SplittableRandom random) {
        double hotShare = Math.min(wantedShare, REGION_CAP * hot.size());
        List<Double> hotShares = capped(hot.size(), hotShare, random);
        double[] shares = random.doubles(count, COLD_DRAWN_FROM, COLD_DRAWN_TO).toArray();
        hot.forEach(region -> shares[region] = 0);
        double cold = Arrays.stream(shares).sum();
        for (int i = 0; i < count; i++) {
            shares[i] *= (1 - hotShare) / cold;
        }
        for (int i = 0; i < hot.size(); i++) {
            shares[hot.get(i)] = hotShares.get(i);
        }
        return Arrays.stream(shares).boxed().toList();
    }

    private static List<Double> capped(int count, double total, SplittableRandom random) {
        double[] drawn = random.doubles(count, HOT_DRAWN_FROM, HOT_DRAWN_TO).toArray();
        boolean[] full = new boolean[count];
        double left = total;
        while (true) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += full[i] ? 0 : drawn[i];
            }
            int over = -1;
            for (int i = 0; i < count && over < 0; i++) {
                over = !full[i] && drawn[i] * left / sum > REGION_CAP ? i : -1;
            }
            if (over < 0) {
                return scaled(drawn, full, left / sum);
            }
            full[over] = true;
            left -= REGION_CAP;
        }
    }

    private static List<Double> scaled(double[] drawn, boolean[] full, double factor) {
        List<Double> shares = new ArrayList<>(drawn.length);
        for (int i = 0; i < drawn.length; i++) {
            shares.add(full[i] ? REGION_CAP : drawn[i] * factor);
        }
        return shares;
    }
}
