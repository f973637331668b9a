// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BALANCER;
import static io.hearth.doctor.model.HadoopKey.MIN_COST;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.GoalSettings;
import io.hearth.balancer.config.MoveTrackerSettings;
import io.hearth.common.config.HumanFormat;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.model.LoadDimension;
import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Fix.Effect;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.List;

/**
 * Whether the configured weights can ever start a balance for the sake of heat, with as many servers as there are.
 *
 * <p>The stock balancer starts when the weighted mean of its costs reaches {@code minCostNeedBalance} ({@code StochasticLoadBalancer.needsBalance}):
 * reads and writes can add at most their weights over the sum of all. Hearth's starts when the busiest server has so many times the mean.
 */
final class BalancerWeightsCheck implements Check {

    private static final String HEARTH = "io.hearth.balancer.HearthLoadBalancer";

    /** Those that count without region replicas; with replicas the sum is larger, and heat counts for less. */
    private static final List<HadoopKey> WEIGHTS = List.of(
            HadoopKey.COUNT_COST,
            HadoopKey.MOVE_COST,
            HadoopKey.LOCALITY_COST,
            HadoopKey.RACK_COST,
            HadoopKey.TABLE_COST,
            HadoopKey.READ_COST,
            HadoopKey.WRITE_COST,
            HadoopKey.MEMSTORE_COST,
            HadoopKey.STORE_FILE_COST);

    /** One server with twice the mean is what an operator calls hot. */
    private static final double HOT = 2;

    @Override
    public String name() {
        return "weights";
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        int servers = cluster.regionServers().size();
        ProcessConfig master = cluster.settingsOf(cluster.master().settings());
        if (servers < 2) {
            return List.of();
        }
        String balancer = master.text(BALANCER);
        if (balancer.equals(HEARTH)) {
            return hearth(master, servers);
        }
        return balancer.equals(BALANCER.defaultValue()) ? stock(master, servers) : List.of();
    }

    private static List<Finding> stock(ProcessConfig master, int servers) {
        double sum = WEIGHTS.stream()
                .mapToDouble(key -> Math.max(0, master.decimal(key)))
                .sum();
        double heat =
                Math.max(0, master.decimal(HadoopKey.READ_COST)) + Math.max(0, master.decimal(HadoopKey.WRITE_COST));
        double needed = master.decimal(MIN_COST);
        double most = sum > 0 ? heat / sum : 0;
        double times = StockSkew.timesFor(most > 0 ? needed / most : Double.POSITIVE_INFINITY, servers);
        Advice advice = enoughWeight(sum - heat, needed, servers);
        if (!master.text(HadoopKey.ADDITIONAL_COSTS).isEmpty()) {
            return List.of(template(Severity.UNKNOWN, "A hot server may stay hot for ever.", advice)
                    .unknown(
                            List.of(),
                            "Cost functions are added by " + HadoopKey.ADDITIONAL_COSTS.key()
                                    + ", whose weights and costs are their own."));
        }
        if (most < needed) {
            return template(
                            Severity.ERROR,
                            "A hot server stays hot for ever: only counts, racks and locality start a balance.",
                            advice)
                    .found("With all reads and writes on one of " + servers + " servers heat adds "
                            + HumanFormat.decimal(most)
                            + " of the " + HumanFormat.decimal(needed) + " that start a balance ("
                            + MIN_COST.key()
                            + "): it can never start one.");
        }
        return times <= HOT
                ? List.of()
                : template(Severity.WARNING, "Every server below that is left as hot as it is.", advice)
                        .found("One of " + servers + " servers must have " + HumanFormat.decimal(times)
                                + " times the mean of reads and writes before heat alone starts a balance. One with twice"
                                + " the mean adds "
                                + HumanFormat.decimal(most * StockSkew.ofOneServer(HOT, servers))
                                + " of the "
                                + HumanFormat.decimal(needed) + " that it takes.");
    }

    /** The weight that reads and writes need beside these others so that a server with twice the mean starts a balance. */
    private static Advice enoughWeight(double others, double needed, int servers) {
        double share = needed / StockSkew.ofOneServer(HOT, servers);
        return new Advice(
                share < 1
                        ? "Or, with the stock balancer, both " + HadoopKey.READ_COST.key() + " and "
                                + HadoopKey.WRITE_COST.key() + " = "
                                + (long) Math.ceil(others * share / (1 - share) / 2) + " or more"
                        : "No weights of the stock balancer are enough with " + servers
                                + " servers, other than a lower " + MIN_COST.key());
    }

    private static FindingTemplate template(Severity severity, String cost, Advice advice) {
        return new FindingTemplate(
                "weights",
                severity,
                cost,
                "StochasticLoadBalancer.needsBalance and DoubleArrayCost, computed for the servers that are live",
                ConfigLine.of(Role.HMASTER, BALANCER, HEARTH),
                advice);
    }

    private static List<Finding> hearth(ProcessConfig master, int servers) {
        MapSettings settings = new MapSettings(master.values());
        BalancerConfig config = BalancerConfig.read("hbase-site.xml", settings, key -> true);
        GoalConfig goals = config.goals();
        if (!config.enabled()) {
            boolean isByMode =
                    new SettingsReader("hbase-site.xml", settings).readOrFailSafe(BalancerSettings.ENABLED, false);
            return isByMode
                    ? hearthOff(MoveTrackerSettings.MODE.key(), "act", "Hearth's plans are switched off: ")
                    : hearthOff(BalancerSettings.ENABLED.key(), "true", "Hearth's plans are switched off: ");
        }
        GoalConfig.Goal reads = goals.of(LoadDimension.READS);
        if (!reads.isWeighed() && !goals.of(LoadDimension.WRITES).isWeighed()) {
            return hearthOff(
                    GoalSettings.cost(LoadDimension.READS).key(), "200", "Neither reads nor writes have a weight: ");
        }
        if (reads.trigger() >= servers) {
            return hearthOff(
                    GoalSettings.SKEW_TRIGGER.key(),
                    GoalSettings.SKEW_TRIGGER.defaultValue().toString(),
                    "With all load on one of " + servers + " servers it has " + servers
                            + " times the mean, and moves are planned above "
                            + HumanFormat.decimal(reads.trigger())
                            + " times: ");
        }
        return List.of();
    }

    private static List<Finding> hearthOff(String key, String value, String what) {
        return new FindingTemplate(
                        "weights",
                        Severity.ERROR,
                        "A hot server stays hot for ever.",
                        "docs/concepts.md; the highest max/mean of N servers is N",
                        new ConfigLine(Role.HMASTER, key, value, Effect.UPDATE_ALL_CONFIG))
                .found(what + "see " + key + ".");
    }

    /**
     * The stock balancer's measure of how uneven a load is over servers, 0 to 1: the square root of the sum of squared distances from the mean, scaled by
     * what it would be with all of the load on one server (HBase's {@code DoubleArrayCost}; StockSkewTest holds it against that class). Pure.
     */
    static final class StockSkew {

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
}
