// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalancerDecision;
import org.apache.hadoop.hbase.client.BalancerRejection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.namequeues.BalancerDecisionDetails;
import org.apache.hadoop.hbase.namequeues.BalancerRejectionDetails;
import org.apache.hadoop.hbase.namequeues.NamedQueuePayload;
import org.jspecify.annotations.NullMarked;

/**
 * The stock balancer of HBase 2.5 and 2.6 with the face that all of Hearth's balancer is written against: what the lines of HBase do
 * each in its own way stands here, and once more with the same members in the source root of every other line.
 *
 * <p>It adds nothing to what the stock balancer decides. Like the stock balancer it is called under HBase's lock.
 */
@NullMarked
abstract class HBaseBalancerCompat extends StochasticLoadBalancer {

    /** The master that this balancer belongs to; empty before HBase has said so. */
    protected final Optional<MasterServices> master() {
        return Optional.ofNullable(services);
    }

    /** The descriptors of all tables. */
    protected final Collection<TableDescriptor> tableDescriptors() throws IOException {
        return services.getTableDescriptors().getAll().values();
    }

    /** The descriptor of this table; empty where there is no such table. */
    protected final Optional<TableDescriptor> tableDescriptor(TableName table) throws IOException {
        return Optional.ofNullable(services.getTableDescriptors().get(table));
    }

    /** Whether the master carries regions and is one of these servers; that is deprecated in 2 and gone in 3. */
    protected final boolean isMasterAmong(Set<ServerName> servers) {
        return masterServerName != null && servers.contains(masterServerName);
    }

    /** Puts Hearth's finder in the place of the one just made by {@code loadConf}, unless locality is switched off. */
    protected final void useFinder(HearthRegionLocationFinder finder, Configuration site) {
        if (useRegionFinder) {
            OtherTypes.useFinder(this, finder, site);
        }
    }

    /** Shows a plan in {@code get_balancer_decisions}, if the site keeps decisions; else it is not even made. */
    protected final void recordDecision(Supplier<BalancerDecision> decision) {
        record(
                BALANCER_DECISION_BUFFER_ENABLED,
                DEFAULT_BALANCER_DECISION_BUFFER_ENABLED,
                () -> OtherTypes.payload(decision.get()));
    }

    /** Shows why there is no plan in {@code get_balancer_rejections}, if the site keeps rejections; else it is not even made. */
    protected final void recordRejection(Supplier<BalancerRejection> rejection) {
        record(
                BALANCER_REJECTION_BUFFER_ENABLED,
                DEFAULT_BALANCER_REJECTION_BUFFER_ENABLED,
                () -> OtherTypes.payload(rejection.get()));
    }

    private void record(String key, boolean isOnByDefault, Supplier<NamedQueuePayload> entry) {
        // The stock balancer makes the recorder when it loads a configuration that asks for one.
        if (namedQueueRecorder != null && getConf().getBoolean(key, isOnByDefault)) {
            namedQueueRecorder.addRecord(entry.get());
        }
    }

    /** Shows a cost in the master's JMX bean {@code Balancer}, as {@code table_function}, beside the stock costs. */
    protected final void updateCost(String table, String function, String description, double cost) {
        if (metricsBalancer instanceof MetricsStochasticBalancer) {
            ((MetricsStochasticBalancer) metricsBalancer).updateStochasticCost(table, function, description, cost);
        }
    }

    /**
     * What takes an object for one of another type, which the JVM checks when it verifies a class. It is apart, since an HMaster of another
     * HBase, without these types, has to load its balancer all the same.
     */
    private static final class OtherTypes {

        private OtherTypes() {}

        static void useFinder(HBaseBalancerCompat balancer, HearthRegionLocationFinder finder, Configuration site) {
            finder.setConf(site);
            finder.setServices(balancer.services);
            balancer.regionFinder = finder;
        }

        static NamedQueuePayload payload(BalancerDecision decision) {
            return new BalancerDecisionDetails(decision);
        }

        static NamedQueuePayload payload(BalancerRejection rejection) {
            return new BalancerRejectionDetails(rejection);
        }
    }
}
