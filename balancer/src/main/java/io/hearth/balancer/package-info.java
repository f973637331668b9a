/** The one class that operators name in {@code hbase.master.loadbalancer.class}. */
@NullMarked
package io.hearth.balancer;

import org.jspecify.annotations.NullMarked;
