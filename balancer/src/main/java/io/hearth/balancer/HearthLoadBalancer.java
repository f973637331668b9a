// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer;

import org.apache.hadoop.hbase.master.balancer.HearthStochasticBalancer;
import org.jspecify.annotations.NullMarked;

/**
 * The balancer that operators name: HBase's stochastic load balancer that also keeps heat even.
 *
 * <pre>{@code
 * <property>
 *   <name>hbase.master.loadbalancer.class</name>
 *   <value>io.hearth.balancer.HearthLoadBalancer</value>
 * </property>
 * }</pre>
 *
 * All of it is in {@link HearthStochasticBalancer}, which is in HBase's package to see what HBase keeps to that package. HBase
 * constructs it and calls it under the balancer's lock.
 */
@NullMarked
public class HearthLoadBalancer extends HearthStochasticBalancer {}
