// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.MasterServices;

/**
 * The healer of each HMaster in this JVM, so that there is one for each however often HBase makes the observer anew: on a
 * reload it does not stop the old one. Thread-safe.
 */
final class MasterHealers {

    /** By the identity of the master's configuration, which a healer leads to; its observer and its thread keep it alive. */
    private static final Map<Configuration, WeakReference<MasterHealer>> HEALER_BY_MASTER = new WeakHashMap<>();

    private MasterHealers() {}

    /** The healer of the master with this configuration object, if it has one that was not stopped. */
    static synchronized Optional<MasterHealer> known(Configuration masterConfiguration) {
        return Optional.ofNullable(HEALER_BY_MASTER.get(masterConfiguration))
                .map(WeakReference::get)
                .filter(healer -> !healer.isStopped());
    }

    static synchronized MasterHealer of(MasterServices services) {
        WeakReference<MasterHealer> reference = HEALER_BY_MASTER.get(services.getConfiguration());
        MasterHealer known = reference == null ? null : reference.get();
        if (known != null && !known.isStopped()) {
            return known;
        }
        MasterHealer made = new MasterHealer(services);
        HEALER_BY_MASTER.put(services.getConfiguration(), new WeakReference<>(made));
        return made;
    }
}
