// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalancerDecision;
import org.apache.hadoop.hbase.client.BalancerRejection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.jspecify.annotations.NullMarked;

/**
 * The stock balancer of HBase 3 with the face that all of Hearth's balancer is written against: what the lines of HBase do
 * each in its own way stands here, and once more with the same members in the source root of every other line.
 *
 * <p>It adds nothing to what the stock balancer decides. The RSGroupBasedLoadBalancer around it holds the lock.
 */
@NullMarked
abstract class HBaseBalancerCompat extends StochasticLoadBalancer {

    private Optional<MasterServices> master = Optional.empty();

    @Override
    public void setClusterInfoProvider(ClusterInfoProvider given) {
        super.setClusterInfoProvider(given);
        master = masterBehind(given);
    }

    /** HBase 3 shows a balancer its provider only; the master behind it is a private field. Empty where that has changed. */
    private static Optional<MasterServices> masterBehind(ClusterInfoProvider given) {
        try {
            Field services = MasterClusterInfoProvider.class.getDeclaredField("services");
            services.setAccessible(true);
            return Optional.ofNullable((MasterServices) services.get(given));
        } catch (ReflectiveOperationException | RuntimeException changed) {
            return Optional.empty();
        }
    }

    /** The master that this balancer belongs to; empty before HBase has said so. */
    protected final Optional<MasterServices> master() {
        return master;
    }

    /** The descriptors of all tables that have an assigned region: the provider knows no others. */
    protected final Collection<TableDescriptor> tableDescriptors() throws IOException {
        Set<TableName> tables = new TreeSet<>();
        for (RegionInfo region : provider.getAssignedRegions()) {
            tables.add(region.getTable());
        }
        Collection<TableDescriptor> descriptors = new ArrayList<>();
        for (TableName table : tables) {
            tableDescriptor(table).ifPresent(descriptors::add);
        }
        return descriptors;
    }

    /** The descriptor of this table; empty where there is no such table. */
    protected final Optional<TableDescriptor> tableDescriptor(TableName table) throws IOException {
        return Optional.ofNullable(provider.getTableDescriptor(table));
    }

    /** Whether the master carries regions and is one of these servers: in HBase 3 it never does. */
    protected final boolean isMasterAmong(Set<ServerName> servers) {
        return false;
    }

    /** Puts Hearth's finder in the place of the one just made by {@code loadConf}, unless locality is switched off. */
    protected final void useFinder(HearthRegionLocationFinder finder, Configuration site) {
        if (useRegionFinder) {
            OtherTypes.useFinder(this, finder, site);
        }
    }

    /** Shows a plan in {@code get_balancer_decisions}, if the site keeps decisions; else it is not even made. */
    protected final void recordDecision(Supplier<BalancerDecision> decision) {
        provider.recordBalancerDecision(decision);
    }

    /** Shows why there is no plan in {@code get_balancer_rejections}, if the site keeps rejections; else it is not even made. */
    protected final void recordRejection(Supplier<BalancerRejection> rejection) {
        provider.recordBalancerRejection(rejection);
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
            finder.setClusterInfoProvider(balancer.provider);
            balancer.regionFinder = finder;
        }
    }
}
