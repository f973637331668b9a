// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.locality.ObjectStores;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.HConstants;

/** HBase's root folder where it is in an object store: no block is local to any server then. Pure. */
public final class ObjectStoreRoot {

    private ObjectStoreRoot() {}

    /** The value of {@code hbase.rootdir}, where that or {@code fs.defaultFS} names an object store. */
    public static Optional<String> of(Configuration site) {
        return ObjectStores.rootFolder(
                site.get(HConstants.HBASE_DIR), site.get(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY));
    }

    /** What the balancer logs when it starts on an object store; empty on any other file system. */
    public static Optional<String> startupLogMessage(Configuration site) {
        return of(site).map(root -> "hbase.rootdir is " + root
                + ", in an object store: no block is local to any server, so locality is no part of"
                + " plans and nobody is asked where blocks are. Load is balanced as anywhere.");
    }
}
