package io.hearth.web.model;

import io.hearth.balancer.load.Crowd;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import java.util.Arrays;

/** The servers' loads as plans count them, in multiples of what is fair for each. Made for one page. */
final class Shares {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private final double[][] loadByServer;
    private final double[] capacity;
    private final double[] mean = new double[DIMENSIONS.length];
    private final Crowd[] crowds = new Crowd[DIMENSIONS.length];

    private Shares(int servers) {
        loadByServer = new double[servers][DIMENSIONS.length];
        capacity = new double[servers];
    }

    static Shares of(Seen seen) {
        Shares shares = new Shares(seen.servers().size());
        double capacities =
                seen.servers().stream().mapToDouble(SeenServer::capacity).sum();
        for (int server = 0; server < shares.capacity.length; server++) {
            SeenServer of = seen.servers().get(server);
            shares.capacity[server] = of.capacity() * shares.capacity.length / capacities;
            for (SeenRegion region : of.regions()) {
                shares.add(server, PageMaker.weighed(region, seen.weights()));
            }
        }
        shares.crowd(seen);
        return shares;
    }

    private void crowd(Seen seen) {
        Arrays.setAll(crowds, index -> new Crowd(capacity.length, mean[index]));
        for (SeenServer server : seen.servers()) {
            for (SeenRegion region : server.regions()) {
                LoadVector load = PageMaker.weighed(region, seen.weights());
                for (LoadDimension dimension : DIMENSIONS) {
                    crowds[dimension.ordinal()].add(load.get(dimension));
                }
            }
        }
    }

    private void add(int server, LoadVector load) {
        for (LoadDimension dimension : DIMENSIONS) {
            int index = dimension.ordinal();
            double value = load.get(dimension);
            loadByServer[server][index] += value;
            mean[index] += value / capacity.length;
        }
    }

    /** What a server of mean capacity should have, in the dimension's unit. */
    double mean(LoadDimension dimension) {
        return mean[dimension.ordinal()];
    }

    /** What this server can take, in multiples of a mean server's. */
    double capacity(int server) {
        return capacity[server];
    }

    /** The load of this server in multiples of its fair share; 0 where there is no load. */
    double ofServer(int server, LoadDimension dimension) {
        return of(loadByServer[server][dimension.ordinal()], dimension) / capacity[server];
    }

    /** This load in multiples of a mean server's fair share. */
    double of(double load, LoadDimension dimension) {
        double fair = mean(dimension);
        return fair > 0 ? load / fair : 0;
    }

    /** The share that the hottest regions make of the largest server, wherever they are; 1 of none where that is less. */
    Crowd.Least lowerBound(LoadDimension dimension) {
        double largest = Arrays.stream(capacity).max().orElse(1);
        Crowd.Least least = crowds[dimension.ordinal()].least();
        double share = of(least.load(), dimension) / largest;
        return share > 1 ? new Crowd.Least(share, least.together()) : new Crowd.Least(1, 0);
    }
}
