// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.Scenario.InitialPlacement;
import io.hearth.sim.scenario.Scenario.LoadDistribution;
import io.hearth.sim.scenario.Scenario.LoadSpec;
import io.hearth.sim.scenario.Scenario.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Makes a scenario's regions, with their loads, and deals them out. Used once; not thread-safe. */
final class RegionGenerator {

    /** Keys of a table whose requests follow Zipf; as many as make the hottest key a small part of the load. */
    private static final int KEYS = 1_000_000;

    private final Scenario scenario;
    private final Random random;

    RegionGenerator(Scenario scenario, Random random) {
        this.scenario = scenario;
        this.random = random;
    }

    /** Which server, by index, each region of a table begins on. */
    record PlacedRegion(SimRegion region, int server) {}

    /** Regions are named by their table and number, and replicas by the number of the replica. */
    static EncodedRegionName encodedRegionName(String table, int number) {
        return new EncodedRegionName(String.format("%s-%04d", table, number));
    }

    List<PlacedRegion> regions() {
        List<PlacedRegion> all = new ArrayList<>();
        scenario.tables().forEach(table -> all.addAll(regions(table)));
        return all;
    }

    private List<PlacedRegion> regions(TableSpec table) {
        int[] serverByRegion = initialPlacement(table);
        List<LoadSpec> loads = scenario.loads().stream()
                .filter(load -> load.table().equals(table.name()))
                .toList();
        List<double[]> shares =
                loads.stream().map(load -> shares(load, table, serverByRegion)).toList();
        List<PlacedRegion> placed = new ArrayList<>();
        for (int region = 0; region < table.regions(); region++) {
            EncodedRegionName primary = encodedRegionName(table.name(), region + 1);
            List<RegionRequestRate> flows = flows(loads, shares, table, region);
            for (int replica = 0; replica < table.replicas(); replica++) {
                EncodedRegionName id =
                        replica == 0 ? primary : new EncodedRegionName(primary.encodedName() + "-r" + replica);
                SimRegion made = new SimRegion(
                        id,
                        primary,
                        new TableId(table.name()),
                        replica == 0
                                ? Optional.of(new RegionNameInfo(startKey(region), SimServer.EPOCH_MS))
                                : Optional.empty(),
                        table.bytesPerRegion(),
                        flows);
                placed.add(new PlacedRegion(
                        made,
                        (serverByRegion[region] + replica) % scenario.servers().size()));
            }
        }
        return placed;
    }

    /** The first region of a table has none. */
    private static String startKey(int region) {
        return region == 0 ? "" : String.format("%04d", region);
    }

    private int[] initialPlacement(TableSpec table) {
        int servers = scenario.servers().size();
        List<Integer> inTurn = new ArrayList<>();
        for (int region = 0; region < table.regions(); region++) {
            inTurn.add(table.initialPlacement() == InitialPlacement.ALL_ON_FIRST ? 0 : region % servers);
        }
        if (table.initialPlacement() == InitialPlacement.SHUFFLED) {
            Collections.shuffle(inTurn, random);
            if (table.regions() == 1) {
                inTurn.set(0, random.nextInt(servers));
            }
        }
        return inTurn.stream().mapToInt(Integer::intValue).toArray();
    }

    private List<RegionRequestRate> flows(List<LoadSpec> loads, List<double[]> shares, TableSpec table, int region) {
        List<RegionRequestRate> flows = new ArrayList<>();
        for (int index = 0; index < loads.size(); index++) {
            LoadSpec load = loads.get(index);
            double share = shares.get(index)[region];
            if (share > 0) {
                RegionRequestRate.Rotation rotation = rotation(load.distribution(), table, region);
                long noiseSeed = scenario.seed() * 31
                        + encodedRegionName(table.name(), region).hashCode();
                flows.add(new RegionRequestRate(
                        load.dimension(),
                        load.perSecond() * share,
                        load.wave(),
                        rotation,
                        scenario.noise(),
                        noiseSeed));
            }
        }
        return flows;
    }

    private static RegionRequestRate.Rotation rotation(LoadDistribution distribution, TableSpec table, int region) {
        if (distribution instanceof LoadDistribution.MovingFront front) {
            int groups = (table.regions() + front.regions() - 1) / front.regions();
            return new RegionRequestRate.Rotation(region / front.regions(), groups, front.stepMs());
        }
        return RegionRequestRate.Rotation.ALWAYS;
    }

    /** What share of a load each region of its table has; together 1, or 1 for those whose turn it is. */
    private double[] shares(LoadSpec load, TableSpec table, int[] serverByRegion) {
        double[] shares = new double[table.regions()];
        // Chance of its own for each load, so that all regions of a table see the same draw.
        Random ofLoad = new Random(scenario.seed() * 31 + scenario.loads().indexOf(load));
        if (load.distribution() instanceof LoadDistribution.Evenly) {
            Arrays.fill(shares, 1);
        } else if (load.distribution() instanceof LoadDistribution.Lognormal lognormal) {
            Arrays.setAll(shares, region -> Math.exp(lognormal.sigma() * ofLoad.nextGaussian()));
        } else if (load.distribution() instanceof LoadDistribution.Zipf zipf) {
            // The keys of a table are where they are, whatever is done with them.
            Random ofTable = new Random(scenario.seed() * 31 + table.name().hashCode());
            for (int rank = 1; rank <= KEYS; rank++) {
                shares[ofTable.nextInt(shares.length)] += Math.pow(rank, -zipf.exponent());
            }
        } else if (load.distribution() instanceof LoadDistribution.OnServer onServer) {
            return sharesOnServer(load.perSecond(), onServer, serverByRegion);
        } else if (load.distribution() instanceof LoadDistribution.MovingFront front) {
            Arrays.fill(shares, 1.0 / front.regions());
            return shares;
        } else if (load.distribution() instanceof LoadDistribution.OneRegion one) {
            shares[one.region() - 1] = 1;
        }
        double sum = Arrays.stream(shares).sum();
        return Arrays.stream(shares).map(share -> share / sum).toArray();
    }

    private static double[] sharesOnServer(double perSecond, LoadDistribution.OnServer onServer, int[] serverByRegion) {
        int there = (int) Arrays.stream(serverByRegion)
                .filter(server -> server == onServer.server() - 1)
                .count();
        double shareThere = onServer.perSecond() / perSecond;
        double[] shares = new double[serverByRegion.length];
        for (int region = 0; region < shares.length; region++) {
            shares[region] = serverByRegion[region] == onServer.server() - 1
                    ? shareThere / there
                    : (1 - shareThere) / (shares.length - there);
        }
        return shares;
    }
}
