// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;

/** Every host is on one rack, and no name is looked up. Thread-safe. HBase makes it, by its class name. */
public final class OneRack implements DNSToSwitchMapping {

    /** HBase's key for the class that knows racks. */
    static final String KEY = "hbase.util.ip.to.rack.determiner";

    /** @param unused what HBase hands to each of its kind */
    public OneRack(Configuration unused) {}

    @Override
    public List<String> resolve(List<String> names) {
        return Collections.nCopies(names.size(), "/rack");
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
}
