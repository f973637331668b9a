package io.hearth.healing.hbase;

import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.MasterServices;

/**
 * The healer of each HMaster in this JVM, so that there is one for each however often HBase makes the observer anew: on a
 * reload it does not stop the old one. Thread-safe.
 */
final class Healers {

    /** By the identity of the master's configuration: Configuration inherits equals from Object. */
    private static final Map<Configuration, Healer> HEALER_BY_MASTER = new WeakHashMap<>();

    private Healers() {}

    static synchronized Healer of(MasterServices services) {
        Healer known = HEALER_BY_MASTER.get(services.getConfiguration());
        if (known != null && !known.isStopped()) {
            return known;
        }
        Healer made = new Healer(services);
        HEALER_BY_MASTER.put(services.getConfiguration(), made);
        return made;
    }
}
