// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.RegionWeights;
import io.hearth.testkit.measure.LoadSkew;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A draw: a random choice of how often each region of a table is read, by its place among them. Those of the first server are the
 * first, and so on. Immutable.
 *
 * @param distribution over regions
 * @param seed of what is drawn and of which place gets which weight
 * @param weightsByPlace in no unit
 */
record RegionDraw(KeyDistribution distribution, long seed, List<Double> weightsByPlace) {

    /** Of so many draws the benchmark takes those in the middle. */
    static final int DRAWS = 21;

    RegionDraw {
        weightsByPlace = List.copyOf(weightsByPlace);
    }

    /** @throws IllegalArgumentException if the distribution is not one over regions */
    static RegionDraw of(KeyDistribution distribution, int regions, long seed) {
        List<Double> weights =
                switch (distribution) {
                    case LOGNORMAL_REGIONS -> RegionWeights.lognormalWeights(regions, seed);
                    case ZIPFIAN_REGIONS -> RegionWeights.zipfWeights(regions);
                    default -> throw new IllegalArgumentException(distribution + " is not over regions");
                };
        List<Double> byPlace = new ArrayList<>(Collections.nCopies(regions, 0.0));
        List<Integer> places = places(regions, seed);
        for (int rank = 0; rank < regions; rank++) {
            byPlace.set(places.get(rank), weights.get(rank));
        }
        return new RegionDraw(distribution, seed, byPlace);
    }

    /** The place of each weight. */
    private static List<Integer> places(int regions, long seed) {
        List<Integer> places =
                new ArrayList<>(IntStream.range(0, regions).boxed().toList());
        Collections.shuffle(places, new Random(seed));
        return places;
    }

    /** The quartiles of {@value #DRAWS} draws by unevenness, with as many regions on each server, the least uneven first. */
    static List<RegionDraw> quartiles(KeyDistribution distribution, int servers, int regionsOfAServer) {
        List<RegionDraw> bySkew = LongStream.rangeClosed(1, DRAWS)
                .mapToObj(seed -> of(distribution, servers * regionsOfAServer, seed))
                .sorted(Comparator.comparingDouble(draw -> draw.skewInPlace(servers)))
                .toList();
        int middle = DRAWS / 2;
        return List.of(bySkew.get(middle / 2), bySkew.get(middle), bySkew.get(DRAWS - 1 - middle / 2));
    }

    /** The largest server's share over the average one while every region is where it was at first, as many on each server. */
    double skewInPlace(int servers) {
        int regionsOfAServer = weightsByPlace.size() / servers;
        return LoadSkew.maxOverMean(IntStream.range(0, servers)
                        .mapToObj(server ->
                                weightsByPlace
                                        .subList(server * regionsOfAServer, (server + 1) * regionsOfAServer)
                                        .stream()
                                        .mapToDouble(Double::doubleValue)
                                        .sum())
                        .toList())
                .orElseThrow();
    }

    /** The same where regions are served as is said here: the server of each place. */
    double skew(List<String> serverByPlace, int servers) {
        List<Double> all = new ArrayList<>(loads(serverByPlace).values());
        while (all.size() < servers) {
            all.add(0.0);
        }
        return LoadSkew.maxOverMean(all).orElseThrow();
    }

    /** The share of the requests that this server is asked, 0 to 1, where regions are served as is said here. */
    double shareOf(String server, List<String> serverByPlace) {
        Map<String, Double> loads = loads(serverByPlace);
        return loads.getOrDefault(server, 0.0)
                / loads.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private Map<String, Double> loads(List<String> serverByPlace) {
        Map<String, Double> loads = new HashMap<>();
        for (int place = 0; place < serverByPlace.size(); place++) {
            loads.merge(serverByPlace.get(place), weightsByPlace.get(place), Double::sum);
        }
        return loads;
    }

    /**
     * The regions in the order in which a load asks them by this draw's weights.
     *
     * @param regionByPlace the number of the region at each place
     */
    List<Integer> order(List<Integer> regionByPlace) {
        return places(regionByPlace.size(), seed).stream()
                .map(regionByPlace::get)
                .toList();
    }
}
