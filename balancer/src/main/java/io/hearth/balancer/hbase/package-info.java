/** Adapter: what the balancer needs of HBase's public API: reports, names, configuration, state files, decisions as JSON. */
@NullMarked
package io.hearth.balancer.hbase;

import org.jspecify.annotations.NullMarked;
