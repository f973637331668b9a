package io.hearth.balancer.cost;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * The loads of all servers in multiples of the mean of each dimension, kept up to date move by move: 1 is a fair share.
 *
 * <p>The unevenness is the weighted sum over dimensions and servers of the square of that multiple. It is least when every
 * server has its fair share, and moving a region with {@code r} (in multiples of the mean) from a server at {@code x} to
 * one at {@code y} lowers it by {@code 2 r (x - y - r)}: a constant number of operations. A dimension without load or
 * with weight 0 does not count. Not thread-safe; private scratch of one search.
 */
public final class ServerLoads {

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private final double[][] shareByDimension;
    private final double[] mean;
    private final double[] weight;

    /**
     * @param loadByServer the loads to begin with, by server index and in each dimension's unit; copied
     * @param weightByDimension how much each dimension counts, at least 0; absent is 0
     */
    public ServerLoads(Map<LoadDimension, double[]> loadByServer, Map<LoadDimension, Double> weightByDimension) {
        shareByDimension = new double[DIMENSIONS.length][];
        mean = new double[DIMENSIONS.length];
        weight = new double[DIMENSIONS.length];
        for (LoadDimension dimension : DIMENSIONS) {
            int d = dimension.ordinal();
            double[] loads = loadByServer.get(dimension);
            if (loads == null) {
                throw new IllegalArgumentException("The loads in " + dimension.label() + " are missing.");
            }
            mean[d] = Arrays.stream(loads).average().orElse(0);
            weight[d] = mean[d] > 0 ? weightByDimension.getOrDefault(dimension, 0.0) : 0;
            shareByDimension[d] = Arrays.stream(loads)
                    .map(load -> mean[d] > 0 ? load / mean[d] : 1)
                    .toArray();
        }
    }

    /** Whether this dimension counts. */
    public boolean counts(LoadDimension dimension) {
        return weight[dimension.ordinal()] > 0;
    }

    /** How much this dimension counts; 0 where it does not. */
    public double weight(LoadDimension dimension) {
        return weight[dimension.ordinal()];
    }

    /** The load of this server in multiples of the mean; 1 is a fair share. */
    public double share(int server, LoadDimension dimension) {
        return shareByDimension[dimension.ordinal()][server];
    }

    /** A region's load in multiples of the servers' mean; 0 where the dimension has no load. */
    public double share(LoadVector load, LoadDimension dimension) {
        int d = dimension.ordinal();
        return mean[d] > 0 ? load.get(dimension) / mean[d] : 0;
    }

    /** By how much moving this load from one server to another lowers the unevenness; below 0 it would rise. */
    public double gainOfMove(LoadVector load, int from, int to) {
        double gain = 0;
        for (LoadDimension dimension : DIMENSIONS) {
            gain += gain(dimension, share(load, dimension), from, to);
        }
        return gain;
    }

    /** By how much it lowers the unevenness to exchange a load of {@code from} for one of {@code to}. */
    public double gainOfSwap(LoadVector given, LoadVector taken, int from, int to) {
        double gain = 0;
        for (LoadDimension dimension : DIMENSIONS) {
            gain += gain(dimension, share(given, dimension) - share(taken, dimension), from, to);
        }
        return gain;
    }

    /** Moves this load from one server to another. */
    public void move(LoadVector load, int from, int to) {
        for (LoadDimension dimension : DIMENSIONS) {
            double share = share(load, dimension);
            shareByDimension[dimension.ordinal()][from] -= share;
            shareByDimension[dimension.ordinal()][to] += share;
        }
    }

    /** The largest share in this dimension, at least 1; 1 where it has no load. */
    public double maxOverMean(LoadDimension dimension) {
        return Math.max(
                1, Arrays.stream(shareByDimension[dimension.ordinal()]).max().orElse(1));
    }

    /** The largest share in every dimension. */
    public Map<LoadDimension, Double> maxOverMean() {
        Map<LoadDimension, Double> all = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : DIMENSIONS) {
            all.put(dimension, maxOverMean(dimension));
        }
        return all;
    }

    private double gain(LoadDimension dimension, double share, int from, int to) {
        double[] shares = shareByDimension[dimension.ordinal()];
        return weight[dimension.ordinal()] * 2 * share * (shares[from] - shares[to] - share);
    }
}
