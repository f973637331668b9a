package io.hearth.doctor.check;

/**
 * The stock balancer's measure of how uneven a load is over servers, 0 to 1: the square root of the sum of squared distances from the mean, scaled by
 * what it would be with all of the load on one server (HBase's {@code DoubleArrayCost}; StockSkewTest holds it against that class). Pure.
 */
final class StockSkew {

    private StockSkew() {}

    /**
     * The cost of one server with so many times the mean while the others share the rest evenly: with N servers their squares sum to
     * (times - 1)^2 N / (N - 1), and to N (N - 1) with all on one. The load is taken as large, so that HBase's correction for whole
     * numbers does not matter.
     *
     * @param times from 1 to the number of servers
     * @param servers two or more
     */
    static double ofOneServer(double times, int servers) {
        return (times - 1) / (servers - 1);
    }

    /** How many times the mean one server must have until the cost is this; above {@code servers} where it can't be. */
    static double timesFor(double cost, int servers) {
        return 1 + cost * (servers - 1);
    }
}
